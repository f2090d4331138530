//! Merges a person's text with changes that others made to other lines. At a terminal
//! the person is asked; elsewhere it is done and said.

use std::thread;

use tokio::sync::oneshot;

use crate::failure::Failure;
use crate::output::{Interrupts, Output, one_line};
use svc_text::merge::{changed_lines, merged};

/// What became of two changes of one text.
pub(crate) enum Joined {
    /// The text with both.
    Both(String),
    /// They concern the same lines.
    Disputed,
    /// The person does not want them together.
    Unwanted,
}

/// Joins the change from `before` to `mine` with the one to `theirs`, of this version.
///
/// # Errors
/// The person gave no answer.
pub(crate) async fn join(
    before: &str,
    mine: &str,
    (theirs, version): (&str, u64),
    by: impl AsyncFnOnce() -> Option<String>,
    output: &Output,
) -> Result<Joined, Failure> {
    let Some(both) = merged(before, mine, theirs) else { return Ok(Joined::Disputed) };
    if both.trim_end() == mine.trim_end() {
        return Ok(Joined::Both(mine.to_owned()));
    }
    let count = changed_lines(before, theirs);
    let lines = if count == 1 { "1 line".to_owned() } else { format!("{count} lines") };
    let by = by().await.map(|name| format!(" by {}", one_line(&name))).unwrap_or_default();
    if !output.can_ask() {
        output.say(&format!("merging {lines} of version {version}{by} into your text"));
        return Ok(Joined::Both(both));
    }
    let question = format!(
        "Version {version}{by} changed {lines} elsewhere in the text in the meantime. Merge both changes? [Y/n] "
    );
    Ok(if wanted(question, output).await? { Joined::Both(both) } else { Joined::Unwanted })
}

/// Whether the person wants it. An editor may have been open, and then Ctrl-C ends nothing by itself any more: the
/// question is asked beside.
async fn wanted(question: String, output: &Output) -> Result<bool, Failure> {
    let output = *output;
    let (answer, answered) = oneshot::channel();
    let mut interrupts = Interrupts::from_now();
    thread::spawn(move || {
        let _ = answer.send(output.ask(&question));
    });
    tokio::select! {
        answer = answered => {
            let answer = answer.map_err(|_| Failure::unexpected("no answer was given"))??;
            Ok(matches!(answer.to_lowercase().as_str(), "" | "y" | "yes"))
        }
        () = interrupts.next() => Err(Failure::interrupted("stopped; nothing was changed")),
    }
}

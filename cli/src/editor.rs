//! Opens a text in the person's editor.

use std::io::Write as _;
use std::path::Path;

use tempfile::{Builder, TempPath};
use tokio::process::Command;

use crate::failure::Failure;
use crate::keeping::{self, Origin};
use crate::output::{Interrupts, Output};

/// The editor where none is set.
const USUAL: &str = "vi";

/// A text that was edited. It stays in its file until it was saved where it belongs.
pub(crate) struct Draft {
    pub(crate) text: String,
    path: TempPath,
    again: Option<String>,
    origin: Option<Origin>,
}

/// What a text is edited for.
pub(crate) struct Purpose<'a> {
    /// Begins the name of the file.
    pub(crate) name: &'a str,
    /// How the text is given without an editor.
    pub(crate) instead: &'a str,
    /// What goes on with a text that could not be saved, up to the path of its file: `svc wiki put … --file`.
    pub(crate) again: Option<String>,
    /// A text from before that the file begins with, instead of the one that there is.
    pub(crate) begin: Option<String>,
    /// What the text began from, for taking it up again.
    pub(crate) origin: Option<Origin>,
}

impl Draft {
    /// Waits until the text is saved. Keeps the file when that failed or the person gave up, and says where it is.
    pub(crate) async fn saved<T>(
        self,
        saving: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        unless_interrupted(saving).await.map_err(|failure| self.unsaved(failure))
    }

    /// Keeps the file, since the text could not be saved; answers the failure with the place where it stays, and with
    /// what goes on with it.
    pub(crate) fn unsaved(self, failure: Failure) -> Failure {
        kept(self.path, self.again.as_deref(), self.origin.as_ref(), failure)
    }
}

/// Waits for an answer, or for the person to give up.
pub(crate) async fn unless_interrupted<T>(
    saving: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let mut interrupts = Interrupts::from_now();
    tokio::select! {
        result = saving => result,
        () = interrupts.next() => Err(Failure::interrupted("stopped before the response arrived; check whether your \
        text was saved")),
    }
}

/// The failure of a draft, with the place where its file stays.
fn kept(path: TempPath, again: Option<&str>, origin: Option<&Origin>, failure: Failure) -> Failure {
    let Ok(path) = path.keep() else { return failure.keeping(["your text could not be kept".to_owned()]) };
    keeping::record(&path, origin);
    let path = path.display().to_string();
    let again = again.map(|again| format!("to continue: {again} {}", quoted(&path)));
    failure.keeping([format!("your text is kept in {path}")].into_iter().chain(again))
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Lets the person edit a text; `None` when they left it as it was, or emptied the file, which as in git means that
/// they changed their mind.
///
/// # Errors
/// There is no editor, or it failed. What it wrote by then is kept.
pub(crate) async fn edit(
    text: &str,
    purpose: Purpose<'_>,
    output: &Output,
) -> Result<Option<Draft>, Failure> {
    let Purpose { name, instead, again, begin, origin } = purpose;
    let editor = editor(instead, output)?;
    let doing = |error: std::io::Error| Failure::io("cannot write a draft", &error);
    let name: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let mut file = Builder::new().prefix(&format!("svc-{name}-")).suffix(".md").tempfile().map_err(doing)?;
    file.write_all(begin.as_deref().unwrap_or(text).as_bytes()).map_err(doing)?;
    let path = file.into_temp_path();
    let opened = open(&editor, &path).await;
    let edited = match std::fs::read(&path) {
        Ok(edited) => edited,
        Err(error) => {
            return Err(opened.err().unwrap_or_else(|| Failure::io("cannot read the draft", &error)));
        }
    };
    let changed = edited.trim_ascii() != text.as_bytes().trim_ascii();
    let emptied = edited.trim_ascii().is_empty();
    match (opened, String::from_utf8(edited)) {
        (Err(failure), _) if changed && !emptied => {
            Err(kept(path, again.as_deref(), origin.as_ref(), failure))
        }
        (Err(failure), _) => Err(failure),
        (Ok(()), _) if emptied && changed => {
            output.say("The file is empty: nothing was changed.");
            Ok(None)
        }
        (Ok(()), _) if !changed => {
            output.say("Nothing was changed.");
            Ok(None)
        }
        (Ok(()), Ok(text)) => Ok(Some(Draft { text: without_mark(text), path, again, origin })),
        (Ok(()), Err(_)) => {
            let failure = Failure::rejected("the file is not UTF-8 text; nothing was changed");
            Err(kept(path, again.as_deref(), origin.as_ref(), failure))
        }
    }
}

/// A text without the mark that some editors begin a file with, to say how it is written.
pub(crate) fn without_mark(text: String) -> String {
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}

fn editor(instead: &str, output: &Output) -> Result<String, Failure> {
    let set = |name| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    match set("SVC_EDITOR").or_else(|| set("VISUAL")).or_else(|| set("EDITOR")) {
        Some(editor) => Ok(editor),
        None if output.can_ask() => Ok(USUAL.to_owned()),
        None => {
            Err(Failure::rejected("there is no editor to open").hint(format!("set EDITOR, or {instead}")))
        }
    }
}

/// Runs the editor as git does: what the person set may have arguments, so a shell reads it. The path of the
/// draft is an argument, and no shell reads that. Ctrl-C is for the editor.
async fn open(editor: &str, path: &Path) -> Result<(), Failure> {
    let command = format!("{editor} \"$@\"");
    let mut interrupts = Interrupts::from_now();
    let mut shell = Command::new("sh");
    let status = shell.arg("-c").arg(command).arg(editor).arg(path).status();
    tokio::pin!(status);
    let status = loop {
        tokio::select! {
            status = &mut status => break status,
            () = interrupts.next() => {}
        }
    };
    // One that came at the end may not have been told yet. It is the editor's, too, so it is told before anybody else
    // waits for one.
    tokio::task::yield_now().await;
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            Err(Failure::rejected(format!("the editor {editor:?} ended with {status}; nothing was changed")))
        }
        Err(error) => Err(Failure::io(format_args!("cannot open the editor {editor:?}"), &error)),
    }
}

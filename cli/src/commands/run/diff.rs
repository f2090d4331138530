//! `svc run diff`: what a run changed.

use svc_api::factory::{ChangedFile, RunChanges};

use super::which::Which;
use crate::failure::Failure;
use crate::output::{Output, Table, spelled_out};
use crate::session::Session;

/// Show what a run changed: its patch, or with --stat its commits and files.
///
/// The runner reports the changes at the end of the run, with secrets removed. You need to be allowed to start AI
/// work.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc run diff PRJ-12 --stat
  svc run diff PRJ-12 | git apply
  svc run diff 0193a6e5-... --json --jq '.commits[].title'")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// List commits and changed files instead of the patch
    #[arg(long)]
    stat: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let id = args.which.id(session).await?;
    let changes = session.client.run_changes(&id, !args.stat).await?;
    let output = session.output;
    if output.json {
        return output.json(&changes);
    }
    if changes.head.is_none() {
        output.say("The run reported no changes. A runner reports them when the run ends.");
        return Ok(());
    }
    if args.stat {
        return output.paged(|| stat(&changes, output)).await;
    }
    let patch = changes.patch.as_deref().unwrap_or_default();
    let patch = if output.is_terminal() { spelled_out(patch) } else { patch.into() };
    output.paged(|| output.exact(&patch)).await?;
    let left_out =
        changes.file_count.saturating_sub(changes.files.iter().filter(|file| file.in_patch).count() as u64);
    if left_out > 0 {
        output.warn(&format!("the patch lacks {}; see svc run diff --stat", files(left_out)));
    }
    Ok(())
}

fn stat(changes: &RunChanges, output: &Output) -> Result<(), Failure> {
    for commit in &changes.commits {
        let (hash, title) = (commit.hash.get(..10).unwrap_or(&commit.hash), spelled_out(&commit.title));
        output.line(&format!("{hash}  {title}"))?;
    }
    more(changes.commit_count, changes.commits.len(), "commits", output);
    output.line("")?;
    let table = Table::of(&changes.files)
        .fixed("ADDED", |file| count(file.additions))
        .fixed("REMOVED", |file| count(file.deletions))
        .fixed("FILE", |file| spelled_out(&place(file)).into_owned())
        .end();
    output.table(&table)?;
    more(changes.file_count, changes.files.len(), "files", output);
    output.line(&format!(
        "\n{} changed, {} lines added, {} removed",
        files(changes.file_count),
        changes.additions,
        changes.deletions
    ))
}

fn more(all: u64, shown: usize, what: &str, output: &Output) {
    let rest = all.saturating_sub(shown as u64);
    if rest > 0 {
        output.say(&format!("{rest} more {what} are not listed"));
    }
}

fn files(count: u64) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

fn count(lines: Option<u64>) -> String {
    lines.map_or_else(|| "binary".to_owned(), |lines| lines.to_string())
}

fn place(file: &ChangedFile) -> String {
    let left_out = if file.in_patch { "" } else { " (not in the patch)" };
    match &file.previous_path {
        Some(previous) => format!("{previous} -> {}{left_out}", file.path),
        None => format!("{}{left_out}", file.path),
    }
}

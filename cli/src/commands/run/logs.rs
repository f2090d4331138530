//! `svc run logs`: from the beginning to the end, or to what there is (specification section 4.2, run
//! rule 4).

use std::time::Duration;

use svc_api::factory::{LogEntry, LogStream, Run, RunStatus};
use svc_client::Error;

use super::which::Which;
use crate::failure::Failure;
use crate::output::{Output, name};
use crate::session::Session;

/// Pause between two looks at a log that grows (specification section 8).
const POLL: Duration = Duration::from_secs(2);
/// Failures in a row that following outlasts: with the client's own attempts, a minute or two.
const PATIENCE: u32 = 20;

/// Print a run's log from the beginning.
///
/// Lines that the harness wrote to stderr begin with [stderr], events of the runner and the harness with [event].
/// With --json each entry is a line of JSON.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc run logs PRJ-12 --follow
  svc run logs 0193a6e5-... --follow --exit-status && echo succeeded")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Keep printing until the run ends
    #[arg(short, long)]
    follow: bool,
    /// Exit with 1 if the run failed, timed out or was cancelled
    #[arg(long)]
    exit_status: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let id = args.which.id(session).await?;
    print_log(&id, args.follow, args.exit_status, session).await
}

/// Prints the log of a run, to its end where it is followed.
pub(super) async fn print_log(
    id: &str,
    follow: bool,
    exit_status: bool,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let log = Log { id, patience: if follow { PATIENCE } else { 0 }, session };
    let mut after = None;
    let mut truncated = log.print_rest(&mut after).await?;
    let mut status = None;
    if follow {
        // The state is read before the log: what was written until the run ended is then on the pages that
        // follow.
        status = loop {
            let status = log.run().await?.status;
            if status.is_terminal() {
                break Some(status);
            }
            tokio::time::sleep(POLL).await;
            log.print_rest(&mut after).await?;
        };
        truncated = log.print_rest(&mut after).await?;
    }
    if truncated {
        show_truncated(session.output)?;
    }
    if !exit_status {
        return Ok(());
    }
    let status = match status {
        Some(status) => status,
        None => log.run().await?.status,
    };
    judge(status)
}

/// Fails when a run ended without success. One that goes on has not failed.
fn judge(status: RunStatus) -> Result<(), Failure> {
    if status.is_terminal() && status != RunStatus::Succeeded {
        return Err(Failure::unexpected(format!("the run ended: {}", name(&status))));
    }
    Ok(())
}

/// The log of one run.
struct Log<'a> {
    id: &'a str,
    /// How often in a row a look may fail before the command does.
    patience: u32,
    session: &'a Session<'a>,
}

impl Log<'_> {
    async fn run(&self) -> Result<Run, Error> {
        self.patiently(async || self.session.client.run(self.id).await).await
    }

    /// Prints every entry after `after` that there is, moves it on, and says whether the log was capped.
    async fn print_rest(&self, after: &mut Option<u64>) -> Result<bool, Failure> {
        loop {
            let page = self.patiently(async || self.session.client.run_log(self.id, *after).await).await?;
            let Some(last) = page.entries.last() else { return Ok(page.truncated) };
            *after = Some(page.next_after.max(last.seq));
            print(&page.entries, self.session.output)?;
        }
    }

    /// Calls again while the network or the instance fails: a run outlasts the restart of an instance.
    async fn patiently<T>(&self, call: impl AsyncFn() -> Result<T, Error>) -> Result<T, Error> {
        let mut failures = 0;
        loop {
            match call().await {
                Err(error) if failures < self.patience && may_pass(&error) => {
                    failures += 1;
                    self.session.output.say(&format!("trying again: {error}"));
                    tokio::time::sleep(POLL).await;
                }
                result => return result,
            }
        }
    }
}

fn may_pass(error: &Error) -> bool {
    matches!(error, Error::Network(_)) || error.status().is_some_and(|status| status >= 500)
}

fn print(entries: &[LogEntry], output: &Output) -> Result<(), Failure> {
    if output.json {
        return entries.iter().try_for_each(|entry| output.json_line(entry));
    }
    let lines: Vec<_> =
        entries.iter().map(|entry| format!("{}{}", prefix(entry.stream), entry.text)).collect();
    output.line(&lines.join("\n"))
}

const fn prefix(stream: LogStream) -> &'static str {
    match stream {
        LogStream::Stdout | LogStream::Unknown => "",
        LogStream::Stderr => "[stderr] ",
        LogStream::Event => "[event] ",
    }
}

/// Entries alone are data for a script; for people the mark is part of the log.
fn show_truncated(output: &Output) -> Result<(), Failure> {
    if output.json {
        output.say("(log truncated)");
        return Ok(());
    }
    output.line("(log truncated)")
}

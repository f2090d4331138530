//! `svc run logs`: from the beginning to the end, or to what there is (specification section 4.2, run
//! rule 4).

use std::time::Duration;

use svc_api::factory::{LogEntry, LogPage, LogStream};

use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;

/// Pause between two looks at a log that grows (specification section 8).
const POLL: Duration = Duration::from_secs(2);

/// Print a run's log from the beginning.
///
/// Lines of the harness's standard error begin with [stderr], what the runner or the harness says about the
/// run with [event]. With --json each entry is a line of JSON.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Id of the run
    #[arg(value_name = "RUN_ID")]
    id: String,
    /// Go on until the run ends
    #[arg(short, long)]
    follow: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let mut after = None;
    let mut truncated = print_rest(&args.id, &mut after, session).await?;
    if args.follow {
        // The state is read before the log: what was written until the run ended is then on the pages that
        // follow.
        while !session.client.run(&args.id).await?.status.is_terminal() {
            tokio::time::sleep(POLL).await;
            print_rest(&args.id, &mut after, session).await?;
        }
        truncated = print_rest(&args.id, &mut after, session).await?;
    }
    if truncated {
        show_truncated(session.output)?;
    }
    Ok(())
}

/// Prints every entry after `after` that there is, moves it on, and says whether the log was capped.
async fn print_rest(id: &str, after: &mut Option<u64>, session: &Session<'_>) -> Result<bool, Failure> {
    loop {
        let LogPage { entries, truncated, next_after } = session.client.run_log(id, *after).await?;
        let Some(last) = entries.last() else { return Ok(truncated) };
        *after = Some(next_after.max(last.seq));
        print(&entries, session.output)?;
    }
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

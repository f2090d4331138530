//! `svc run logs`: from the beginning to the end, or to what there is (specification section 4.2, run
//! rule 4).

use std::time::Duration;

use svc_api::factory::{LogEntry, LogQuery, LogStream, Run, RunStatus};
use svc_client::Error;

use super::which::Which;
use crate::failure::Failure;
use crate::output::{Interrupts, Output, name, when};
use crate::session::Session;

/// Pause between two looks at a log that grows (specification section 8).
const POLL: Duration = Duration::from_secs(2);
/// Failures in a row that following outlasts: with the client's own attempts, a minute or two.
const PATIENCE: u32 = 20;
/// Most entries that an instance answers from the end of a log.
const MOST_TAIL: u64 = 5_000;

/// Print a run's log from the beginning, or its last entries.
///
/// Ctrl-C ends --follow, not the run. Lines that the harness wrote to stderr begin with [stderr], events of the
/// runner and the harness with [event]. With --json, each entry is one line of JSON.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc run logs PRJ-12 --follow
  svc run logs PRJ-12 --tail 20
  svc run logs 0193a6e5-... --follow --exit-status && echo succeeded")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Keep printing until the run ends
    #[arg(short, long)]
    follow: bool,
    /// Start with the last N entries, at most 5000
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_TAIL))]
    tail: Option<u64>,
    /// Exit with 1 if the run failed, timed out or was cancelled
    #[arg(long)]
    exit_status: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let id = args.which.id(session).await?;
    if args.follow {
        return follow(&id, args.tail, args.exit_status, session).await;
    }
    let log = Log { id: &id, patience: 0, session };
    let mut place = Place::beginning(args.tail);
    let truncated = log.print_rest(&mut place).await?;
    if truncated {
        show_truncated(session.output)?;
    }
    if place.after.is_some() && !args.exit_status {
        return Ok(());
    }
    let run = log.run().await?;
    if place.after.is_none() {
        say_why_empty(&run, session.output);
    }
    if args.exit_status { judge(run.status) } else { Ok(()) }
}

/// Prints the log of a run to its end. Ctrl-C ends only that.
pub(super) async fn follow(
    id: &str,
    tail: Option<u64>,
    exit_status: bool,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let mut interrupts = Interrupts::from_now();
    tokio::select! {
        done = follow_to_the_end(id, tail, exit_status, session) => done,
        () = interrupts.next() => {
            let output = session.output;
            if output.is_terminal() {
                // The terminal shows ^C where the cursor is.
                output.say("");
            }
            output.say(&format!(
                "The run continues. Follow it again with `svc run logs {id} --follow`; stop it with `svc run cancel \
                {id}`."
            ));
            Err(Failure::stopped())
        }
    }
}

async fn follow_to_the_end(
    id: &str,
    tail: Option<u64>,
    exit_status: bool,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let log = Log { id, patience: PATIENCE, session };
    let mut place = Place::beginning(tail);
    let mut waiting = None;
    log.print_rest(&mut place).await?;
    // The state is read before the log: what was written until the run ended is then on the pages that follow.
    let status = loop {
        let run = log.run().await?;
        if run.status.is_terminal() {
            break run.status;
        }
        let now = waits_for(&run);
        if now.is_some() && now != waiting {
            session.output.say(now.as_deref().unwrap_or_default());
        }
        waiting = now;
        tokio::time::sleep(POLL).await;
        log.print_rest(&mut place).await?;
    };
    if log.print_rest(&mut place).await? {
        show_truncated(session.output)?;
    }
    if exit_status { judge(status) } else { Ok(()) }
}

/// Says why there is nothing to print.
fn say_why_empty(run: &Run, output: &Output) {
    match waits_for(run) {
        Some(waits) => {
            output.say(&waits);
            output.say(&format!("Follow its log with `svc run logs {} --follow`.", run.id));
        }
        None if run.status.is_terminal() => output.say("The run ended without a log."),
        None => output.say("The run has written nothing yet."),
    }
}

/// What a run that has not begun waits for.
pub(super) fn waits_for(run: &Run) -> Option<String> {
    match (run.status, run.scheduled_for) {
        (RunStatus::Queued, _) if run.waiting_reason.is_some() => {
            Some(format!("The run waits: {}", run.waiting_reason.as_deref().unwrap_or_default()))
        }
        (RunStatus::Queued, Some(at)) => Some(format!("The run waits until {}.", when(at))),
        (RunStatus::Queued, None) => Some("A runner takes the run within seconds.".to_owned()),
        (RunStatus::Assigned, _) => {
            let runner = run.runner.as_ref().map_or("A runner", |runner| runner.name.as_str());
            Some(format!("{runner} has taken the run and is preparing it."))
        }
        _ => None,
    }
}

/// Fails when a run ended without success. One that goes on has not failed.
fn judge(status: RunStatus) -> Result<(), Failure> {
    if status.is_terminal() && status != RunStatus::Succeeded {
        return Err(Failure::unexpected(format!("the run ended: {}", name(&status))));
    }
    Ok(())
}

/// How far a log was printed.
struct Place {
    after: Option<u64>,
    /// How many entries to begin with, where not all are wanted.
    tail: Option<u64>,
}

impl Place {
    const fn beginning(tail: Option<u64>) -> Self {
        Self { after: None, tail }
    }

    fn query(&self) -> LogQuery {
        let tail = self.tail.filter(|_| self.after.is_none());
        LogQuery { after: self.after, tail, ..LogQuery::default() }
    }
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

    /// Prints every entry from `place` on that there is, moves it on, and says whether the log was capped.
    async fn print_rest(&self, place: &mut Place) -> Result<bool, Failure> {
        loop {
            let query = place.query();
            let page =
                self.patiently(async || self.session.client.run_log_part(self.id, &query).await).await?;
            let Some(last) = page.entries.last() else { return Ok(page.truncated) };
            place.after = Some(page.next_after.max(last.seq));
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

//! `svc run continue`.

use super::start::table;
use super::which::Which;
use crate::failure::Failure;
use crate::session::Session;

/// Continue a run that failed or ran out of time.
///
/// The agent continues its session, on the same runner and in the same workspace. Only the newest run of an item can
/// be continued, and only if its harness had started.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc run continue PRJ-12
  svc run continue 0193a6e5-...")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let id = args.which.id(session).await?;
    let run = session.client.continue_run(&id).await?;
    if session.output.json { session.output.json(&run) } else { session.output.table(&table(&run)) }
}

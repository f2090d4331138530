//! `svc run cancel`.

use super::which::Which;
use crate::failure::Failure;
use crate::output::run_table;
use crate::session::Session;

/// Stop a run.
///
/// A run that has ended stays as it is (exit code 3).
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc run cancel PRJ-12
  svc run cancel 0193a6e5-...")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let run = session.client.cancel_run(&args.which.id(session).await?).await?;
    if session.output.json { session.output.json(&run) } else { session.output.table(&run_table([&run])) }
}

//! `svc run cancel`.

use super::which::Which;
use crate::commands::confirm::Confirm;
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
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let id = args.which.id(session).await?;
    // Of a run that is none, or has ended, the instance says so at once.
    if args.confirm.asks(session.output) && !session.client.run(&id).await?.status.is_terminal() {
        args.confirm.sure_on_terminal(&format!("Stop the run {id} and its agent?"), session.output)?;
    }
    let run = session.client.cancel_run(&id).await?;
    if session.output.json { session.output.json(&run) } else { session.output.table(&run_table([&run])) }
}

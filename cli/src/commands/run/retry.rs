//! `svc run retry`.

use super::start::table;
use super::which::Which;
use crate::failure::Failure;
use crate::session::Session;

/// Start a failed run over.
///
/// The new run has the same playbook and agent, and works in a fresh checkout.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc run retry PRJ-12
  svc run retry 0193a6e5-...")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let id = args.which.id(session).await?;
    let run = session.client.retry_run(&id).await?;
    if session.output.json { session.output.json(&run) } else { session.output.table(&table(&run)) }
}

//! `svc run cancel`.

use crate::failure::Failure;
use crate::output::run_table;
use crate::session::Session;

/// Stop a run.
///
/// One that has ended stays as it is (exit code 3).
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Id of the run
    #[arg(value_name = "RUN_ID")]
    id: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let run = session.client.cancel_run(&args.id).await?;
    if session.output.json { session.output.json(&run) } else { session.output.table(&run_table([&run])) }
}

//! `svc schedule resume`.

use super::shared::{Which, set_paused};
use crate::failure::Failure;
use crate::session::Session;

/// Resume a paused schedule, starting with its next due time. It then acts with your rights.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc schedule resume nightly -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    set_paused(&args.which, false, session).await
}

//! `svc schedule pause`.

use super::shared::{Which, set_paused};
use crate::failure::Failure;
use crate::session::Session;

/// Pause a schedule: it does nothing until it is resumed.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc schedule pause nightly -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    set_paused(&args.which, true, session).await
}

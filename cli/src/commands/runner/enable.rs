//! `svc runner enable`.

use super::shared::{Which, set_disabled};
use crate::failure::Failure;
use crate::session::Session;

/// Let a disabled runner take runs again
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc runner enable laptop")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    set_disabled(&args.which, false, session).await
}

//! `svc agent enable`.

use super::shared::{Which, set_disabled};
use crate::failure::Failure;
use crate::session::Session;

/// Let a disabled agent take runs again.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc agent enable robin")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    set_disabled(&args.which, false, session).await
}

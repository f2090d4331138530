//! `svc team unarchive`.

use super::shared::{Which, set_archived};
use crate::failure::Failure;
use crate::session::Session;

/// Restore an archived team. It can plan sprints again.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc team unarchive web -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    set_archived(&args.which, false, session).await
}

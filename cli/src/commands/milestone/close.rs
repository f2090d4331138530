//! `svc milestone close`.

use svc_api::tracker::MilestoneState;

use super::shared::Which;
use crate::failure::Failure;
use crate::session::Session;

/// Close a milestone. It keeps its items and accepts no new ones.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc milestone close 'First beta' -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    args.which.set(MilestoneState::Closed, session).await
}

//! `svc milestone reopen`.

use svc_api::tracker::MilestoneState;

use super::shared::Which;
use crate::failure::Failure;
use crate::session::Session;

/// Reopen a closed milestone.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc milestone reopen 'First beta' -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    args.which.set(MilestoneState::Open, session).await
}

//! `svc refine confirm`.

use svc_api::factory::ConfirmRefinement;

use super::shared::{Which, show};
use crate::failure::Failure;
use crate::session::Session;

/// Confirm the proposal: the item gets the proposed title and description, and moves to the state that the project's
/// refinement settings name.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc refine confirm PRJ-12")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.which.key.to_string());
    let seen = session.org(&org).refinement(&key).await?;
    let confirm = ConfirmRefinement { version: seen.version, item_version: seen.item_version };
    let refinement = session.org(&org).confirm_refinement(&key, &confirm).await?;
    show(&refinement, session.output)
}

//! `svc refine view`.

use super::shared::{Which, show};
use crate::failure::Failure;
use crate::session::Session;

/// Show the refinement of an item: its questions, its proposal, and what to do next.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc refine view PRJ-12")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.which.key.to_string());
    let refinement = session.org(&org).refinement(&key).await?;
    show(&refinement, session.output)
}

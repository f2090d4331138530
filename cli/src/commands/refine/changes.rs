//! `svc refine changes`.

use svc_api::factory::AskForChanges;

use super::shared::{Which, show};
use crate::failure::Failure;
use crate::session::Session;

/// Ask for changes to the proposal.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc refine changes PRJ-12 -m 'Shorter, and name the browsers.'")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// What should change
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    message: String,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, key) = (session.org_slug().await?, args.which.key.to_string());
    let version = session.org(&org).refinement(&key).await?.version;
    let changes = AskForChanges { version, note: args.message };
    let refinement = session.org(&org).ask_for_changes(&key, &changes).await?;
    show(&refinement, session.output)
}

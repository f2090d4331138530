//! `svc invite list`.

use super::shared::table;
use crate::failure::Failure;
use crate::session::Session;

/// List the organization's invitations, newest first, with their state.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc invite list")]
pub(crate) struct Args {}

pub(super) async fn run(Args {}: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let invitations = session.org(&org).invitations().await?;
    session.output.all(&invitations, "There are no invitations.", table)
}

//! `svc invite list`.

use super::shared::{table, tell_of_mail};
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
    session.output.all(&invitations, "There are no invitations.", table)?;
    invitations.iter().for_each(|invitation| tell_of_mail(invitation, session));
    Ok(())
}

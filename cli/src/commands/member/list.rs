//! `svc member list`.

use super::shared::table;
use crate::failure::Failure;
use crate::session::Session;

/// List the members of the organization, by name.
///
/// `svc project member list` lists the members of a project, `svc invite list` the invitations.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc member list")]
pub(crate) struct Args {}

pub(super) async fn run(Args {}: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let members = session.org(&org).members().await?;
    session.output.all(&members, "There are no members that you can see.", table)
}

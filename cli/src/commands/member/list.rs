//! `svc member list`.

use super::shared::table;
use crate::failure::Failure;
use crate::session::Session;

/// List the members of the organization, by name.
///
/// Who works in a project, `svc project member list` tells; who was asked in, `svc invite list`.
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

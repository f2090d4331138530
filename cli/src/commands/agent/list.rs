//! `svc agent list`.

use super::shared::table;
use crate::failure::Failure;
use crate::session::Session;

/// List the organization's agents.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc agent list")]
pub(crate) struct Args {}

pub(super) async fn run(Args {}: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let agents = session.org(&org).agents().await?;
    session.output.all(&agents, "There is no agent yet; create one with `svc agent create <NAME>`.", table)
}

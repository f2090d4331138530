//! `svc org list`.

use super::shared::table;
use crate::failure::Failure;
use crate::session::Session;

/// List your organizations, with your role in each.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc org list")]
pub(crate) struct Args {}

pub(super) async fn run(Args {}: Args, session: &Session<'_>) -> Result<(), Failure> {
    let orgs = session.client.orgs().await?;
    session.output.all(&orgs, "There are no organizations that you can see.", table)
}

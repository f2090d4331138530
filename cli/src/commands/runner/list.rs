//! `svc runner list`.

use super::shared::table;
use crate::failure::Failure;
use crate::session::Session;

/// List the organization's runners. `svc runner status` shows this machine
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc runner list")]
pub(crate) struct Args {}

pub(super) async fn run(Args {}: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let runners = session.org(&org).runners().await?;
    let none = "The organization has no runner yet; create one with `svc runner create <NAME>`.";
    session.output.all(&runners, none, table)
}

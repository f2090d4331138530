//! `svc webhook list`.

use super::shared::table;
use crate::failure::Failure;
use crate::session::Session;

/// List the organization's webhooks.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc webhook list")]
pub(crate) struct Args {}

pub(super) async fn run(_: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let webhooks = session.org(&org).webhooks().await?;
    session.output.all(&webhooks, "The organization has no webhooks.", table)
}

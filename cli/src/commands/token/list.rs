//! `svc token list`.

use super::shared::table;
use crate::failure::Failure;
use crate::session::Session;

/// List your valid access tokens, oldest first.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc token list")]
pub(crate) struct Args {}

pub(super) async fn run(Args {}: Args, session: &Session<'_>) -> Result<(), Failure> {
    let tokens = session.client.tokens().await?;
    session.output.all(&tokens, "There are no tokens that you can see.", table)
}

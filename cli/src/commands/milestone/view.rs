//! `svc milestone view`.

use super::shared::{Which, show};
use crate::failure::Failure;
use crate::session::Session;

/// Show a milestone and its progress.
///
/// List its items with `svc item list --milestone NAME`.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc milestone view 'First beta' -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    show(&args.which.find(&org, session).await?, session)
}

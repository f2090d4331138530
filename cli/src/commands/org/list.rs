//! `svc org list`.

use super::shared::{deleted_table, table};
use crate::failure::Failure;
use crate::session::Session;

/// List your organizations, with your role in each.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc org list
  svc org list --deleted")]
pub(crate) struct Args {
    /// List the organizations that were deleted and can be restored
    #[arg(long)]
    deleted: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    if args.deleted {
        let orgs = session.client.deleted_orgs().await?;
        let none = "You have no deleted organizations that can be restored.";
        return session.output.all(&orgs, none, deleted_table);
    }
    let orgs = session.client.orgs().await?;
    session.output.all(&orgs, "There are no organizations that you can see.", table)
}

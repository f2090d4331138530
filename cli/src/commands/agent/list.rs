//! `svc agent list`.

use super::shared::{deleted_table, table};
use crate::failure::Failure;
use crate::session::Session;

/// List the organization's agents.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc agent list
  svc agent list --deleted")]
pub(crate) struct Args {
    /// List the agents that were deleted and can be restored
    #[arg(long)]
    deleted: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    if args.deleted {
        let agents = session.org(&org).deleted_agents().await?;
        return session.output.all(
            &agents,
            "There are no deleted agents that can be restored.",
            deleted_table,
        );
    }
    let agents = session.org(&org).agents().await?;
    session.output.all(&agents, "There is no agent yet; create one with `svc agent create <NAME>`.", table)
}

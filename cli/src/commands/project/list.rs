//! `svc project list`.

use svc_api::tracker::ProjectQuery;

use super::shared::{live_table, table};
use crate::failure::Failure;
use crate::session::Session;

/// List the projects that you can see.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc project list --archived")]
pub(crate) struct Args {
    /// Include archived projects
    #[arg(long)]
    archived: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let query = ProjectQuery { archived: args.archived.then_some(true) };
    let projects = session.org(&org).projects(&query).await?;
    let table = if args.archived { table } else { live_table };
    session.output.all(&projects, "There are no projects that you can see.", table)
}

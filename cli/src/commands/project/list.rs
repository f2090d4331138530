//! `svc project list`.

use svc_api::tracker::{Project, ProjectQuery};

use super::shared::{deleted_table, role_in_org, table_for};
use crate::failure::Failure;
use crate::session::Session;

/// What is said where the caller sees no project.
const NONE: &str = "There are no projects that you can see. Create one with `svc project create`, ask to be added to \
one, or list archived ones with --archived.";

/// List the projects that you can see.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc project list --archived
  svc project list --deleted")]
pub(crate) struct Args {
    /// Include archived projects
    #[arg(long)]
    archived: bool,
    /// List the projects that were deleted and can be restored
    #[arg(long, conflicts_with = "archived")]
    deleted: bool,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (slug, output) = (session.org_slug().await?, session.output);
    let org = session.org(&slug);
    if args.deleted {
        let projects = org.deleted_projects().await?;
        return output.all(&projects, "There are no deleted projects that can be restored.", deleted_table);
    }
    let query = ProjectQuery { archived: args.archived.then_some(true), deleted: None };
    let projects = org.projects(&query).await?;
    if output.json {
        return output.json(&projects);
    }
    let role = role_in_org(org, &projects).await?;
    let table = |projects: &[Project]| table_for(projects, role, args.archived);
    output.all(&projects, NONE, table)
}

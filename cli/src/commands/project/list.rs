//! `svc project list`.

use svc_api::tracker::{Project, ProjectQuery};

use super::shared::{role_in_org, table_for};
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
    let (slug, output) = (session.org_slug().await?, session.output);
    let org = session.org(&slug);
    let query = ProjectQuery { archived: args.archived.then_some(true) };
    let projects = org.projects(&query).await?;
    if output.json {
        return output.json(&projects);
    }
    let role = role_in_org(org, &projects).await?;
    let table = |projects: &[Project]| table_for(projects, role, args.archived);
    output.all(&projects, "There are no projects that you can see.", table)
}

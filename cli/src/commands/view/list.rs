//! `svc view list`.

use super::shared::table;
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::session::Session;

/// List your saved views of a project, and the shared ones.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc view list -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let views = session.org(&org).views(project.as_str()).await?;
    let none = "The project has no saved views; save one with `svc view create`.";
    session.output.all(&views, none, table)
}

//! `svc schedule list`.

use super::shared::table;
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::session::Session;

/// List a project's schedules.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc schedule list -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session)?);
    let schedules = session.org(&org).schedules(project.as_str()).await?;
    session.output.all(&schedules, "The project has no schedules.", table)
}

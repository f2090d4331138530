//! `svc intake list`.

use super::shared::table;
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::session::Session;

/// List a project's intakes, without their addresses.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc intake list -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let intakes = session.org(&org).intakes(project.as_str()).await?;
    session.output.all(&intakes, "The project has no intakes.", table)
}

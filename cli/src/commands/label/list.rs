//! `svc label list`.

use super::shared::table;
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::session::Session;

/// List a project's labels by name, including labels that items carry but nobody defined.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc label list -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let labels = session.org(&org).labels(project.as_str()).await?;
    session.output.all(&labels, "The project has no labels.", table)
}

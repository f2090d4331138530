//! `svc workflow view`.

use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::session::Session;

/// Show a project's workflow: its states in board order, and the permitted moves.
///
/// With --json, it prints the format that `svc workflow edit` reads.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc workflow view -p PRJ
  svc workflow view -p PRJ --json > workflow.json")]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let workflow = session.org(&org).workflow(project.as_str()).await?;
    super::shared::show(&workflow, session)
}

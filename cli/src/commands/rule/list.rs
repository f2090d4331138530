//! `svc rule list`.

use super::shared::table;
use crate::commands::in_project::InProject;
use crate::failure::Failure;
use crate::session::Session;

/// List a project's rules.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc rule list -p PRJ")]
pub(crate) struct Args {
    #[command(flatten)]
    project: InProject,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let (org, project) = (session.org_slug().await?, args.project.key(session)?);
    let rules = session.org(&org).rules(project.as_str()).await?;
    session.output.all(&rules, "The project has no rules.", table)
}

//! `svc schedule list`.

use super::playbooks::Playbooks;
use super::shared::table_with;
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
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let schedules = session.org(&org).schedules(project.as_str()).await?;
    let (output, none) =
        (session.output, "The project has no schedules; create one with `svc schedule create <NAME>`.");
    if output.json {
        return output.json(&schedules);
    }
    let playbooks = Playbooks::of(&schedules, project.as_str(), &org, session).await;
    output.all(&schedules, none, |schedules| table_with(schedules, Some(&playbooks)))
}

//! `svc rule list`.

use super::shared::{named_table, table};
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
    let (org, project) = (session.org_slug().await?, args.project.key(session).await?);
    let (slug, project) = (org, project.as_str());
    let org = session.org(&slug);
    let rules = org.rules(project).await?;
    if session.output.json || rules.is_empty() {
        return session.output.all(&rules, "The project has no rules.", table);
    }
    // Ids say little to a person, and are shown only where the names are hidden.
    let (playbooks, agents) = futures::join!(org.playbooks(project), org.agents());
    let playbooks = playbooks.unwrap_or_default().into_iter().map(|playbook| (playbook.id, playbook.name));
    let agents = agents.unwrap_or_default().into_iter().map(|agent| (agent.id, agent.name));
    session.output.table(&named_table(&rules, &playbooks.chain(agents).collect()))
}

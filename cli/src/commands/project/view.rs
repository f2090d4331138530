//! `svc project view`: what a newcomer to a project asks.

use svc_api::identity::{OrgRole, ProjectMember, ProjectRole};
use svc_api::tracker::{Project, Team, Template, Workflow};

use super::{role, role_in_org};
use crate::commands::in_project::ThisProject;
use crate::failure::Failure;
use crate::output::{Pairs, joined};
use crate::session::Session;

/// Show a project: its description, states, people and teams.
///
/// With --json, it prints only the project.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc project view PRJ
  svc project view PRJ --json")]
pub(crate) struct Args {
    #[command(flatten)]
    which: ThisProject,
}

/// A project and what people ask about it.
struct Seen {
    project: Project,
    workflow: Workflow,
    members: Vec<ProjectMember>,
    teams: Vec<Team>,
    templates: Vec<Template>,
    role_in_org: Option<OrgRole>,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let (org, key, output) = (session.org(&org), args.which.key(session).await?, session.output);
    let key = key.as_str();
    if output.json {
        return output.json(&org.project(key).await?);
    }
    let (project, workflow, members, teams, templates) = futures::try_join!(
        org.project(key),
        org.workflow(key),
        org.project_members(key),
        org.teams(key),
        org.templates(key)
    )?;
    let role_in_org = role_in_org(org, std::slice::from_ref(&project)).await?;
    let seen = Seen { project, workflow, members, teams, templates, role_in_org };
    output.pairs(&pairs(&seen))?;
    let description = seen.project.description.trim();
    if description.is_empty() { Ok(()) } else { output.text(&format!("\n{description}")) }
}

fn pairs(seen: &Seen) -> Pairs {
    let Seen { project, workflow, members, teams, templates, role_in_org } = seen;
    let names = |names: &mut dyn Iterator<Item = &String>| joined(&names.cloned().collect::<Vec<_>>());
    let admins = members.iter().filter(|member| member.role == ProjectRole::Admin);
    let live = teams.iter().filter(|team| !team.archived);
    let mut pairs = Pairs::default();
    pairs.add("key", project.key.as_str());
    pairs.add("name", project.name.as_str());
    pairs.maybe("archived", project.archived.then_some("yes"));
    pairs.add("your role", role(project.role, *role_in_org));
    pairs.add("states", names(&mut workflow.states.iter().map(|state| &state.name)));
    pairs.add("members", members.len().to_string());
    pairs.add("admins", names(&mut admins.map(|member| &member.display_name)));
    pairs.add("teams", names(&mut live.map(|team| &team.key)));
    pairs.add("templates", names(&mut templates.iter().map(|template| &template.name)));
    pairs.add("version", project.version.to_string());
    pairs
}

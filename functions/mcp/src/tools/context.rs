//! `get_context` and `get_project`: where the caller is, and what a project is made of.

use schemars::JsonSchema;
use serde::Deserialize;
use svc_api::tracker::Workflow;
use svc_app::factory::{agents, playbooks};
use svc_app::identity::members;
use svc_app::tracker::{labels, projects, templates, workflow};
use svc_app::{Error, Result};
use svc_domain::access::{Capability, Standing};
use svc_domain::ids::ProjectKey;
use svc_domain::refusal::Refusal;
use svc_domain::untrusted::quoted;
use svc_http::ApiResult;
use svc_present::factory::view as factory_view;
use svc_present::tracker::view;

use super::named;
use crate::guest::Guest;
use crate::lines::word;
use crate::reply::{MOST, Reply, clean};

/// No arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

pub(crate) async fn context(guest: Guest, _: Nothing) -> ApiResult<Reply> {
    guest.access.require(Capability::SeeOrg)?;
    let projects = projects::list(&guest.app, guest.caller(), false).await?;
    let mut reply = Reply::default()
        .line(format!("You are {}, {}.", quoted(&guest.access.actor.name), standing(&guest.access.standing)))
        .line(format!("Organization: {} ({})", clean(&guest.org_name), guest.org))
        .line(format!(
            "Scopes: {}",
            guest.access.scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(", ")
        ))
        .line(format!(
            "Limits: replies of {MOST} characters; {} requests a minute.",
            guest.app.settings.rate_limits.requests_per_minute
        ));
    if guest.access.read_only {
        reply = reply.line("The organization is read-only.");
    }
    let lines = projects
        .into_iter()
        .map(view::project)
        .map(|project| format!("{} {}", project.key, clean(&project.name)));
    let lines: Vec<String> = lines.collect();
    reply = if lines.is_empty() {
        reply.line("Projects: none that you can see.")
    } else {
        reply.theirs("projects", lines.join("\n"))
    };
    let people = members(&guest.app, guest.caller()).await?;
    let names: Vec<String> = people.iter().map(|known| clean(&known.member.display_name)).collect();
    Ok(reply.theirs("people whom you can assign", names.join("\n")))
}

fn standing(standing: &Standing) -> String {
    match standing {
        Standing::Member(member) => {
            let operator = svc_domain::access::is_factory_operator(member);
            format!("{}{}", member.role.as_str(), if operator { ", may start AI runs" } else { "" })
        }
        Standing::Agent { run, item, .. } => {
            format!("the agent of run {run} on {item}: you change {item} and its subtasks, and read the rest")
        }
    }
}

/// Which project.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Project {
    /// Project key
    project: String,
}

pub(crate) async fn project(guest: Guest, arguments: Project) -> ApiResult<Reply> {
    let key: ProjectKey = named("project", &arguments.project)?;
    let (app, caller) = (&guest.app, guest.caller());
    let seen = view::project(projects::get(app, caller, &key).await?);
    let flow = view::workflow(workflow::get(app, caller, &key).await?);
    let labels = labels::list(app, caller, &key).await?;
    let templates = templates::list(app, caller, &key).await?;
    let archived = if seen.archived { " (archived, read-only)" } else { "" };
    let mut settings = vec![format!("Name: {}{archived}", clean(&seen.name))];
    settings.extend(moves(&flow));
    let names = |names: Vec<String>| names.iter().map(|name| clean(name)).collect::<Vec<_>>().join(", ");
    settings.push(format!("Labels: {}", names(labels.into_iter().map(|seen| seen.label.name).collect())));
    settings
        .push(format!("Templates: {}", names(templates.into_iter().map(|template| template.name).collect())));
    if let Some(found) = permitted(playbooks::list(app, caller, &key, false).await)? {
        let shown = found.into_iter().map(factory_view::playbook);
        let playbooks = shown.map(|playbook| {
            format!("{}{}", playbook.name, if playbook.project_default { " (default)" } else { "" })
        });
        settings.push(format!("Playbooks: {}", names(playbooks.collect())));
    }
    if let Some(found) = permitted(agents::list(app, caller, false).await)? {
        let enabled = found.into_iter().map(|(agent, _)| agent).filter(|agent| !agent.disabled);
        settings.push(format!("Agents: {}", names(enabled.map(|agent| agent.name).collect())));
    }
    let mut reply = Reply::default().line(format!("Project {key}"));
    reply = reply.theirs("settings by its Admins", settings.join("\n"));
    if !seen.description.is_empty() {
        reply = reply.theirs("description by its Admins", seen.description);
    }
    Ok(reply)
}

/// A line for each state: its group, and where items go from it.
fn moves(flow: &Workflow) -> Vec<String> {
    let mut lines = vec!["States:".to_owned()];
    for state in &flow.states {
        let to = flow.moves.iter().filter(|step| step.from == state.name).map(|step| clean(&step.to));
        let to: Vec<String> = to.collect();
        lines.push(format!("- {} ({}) -> {}", clean(&state.name), word(&state.group), to.join(", ")));
    }
    lines
}

/// What a caller may see, or nothing where their role forbids it.
fn permitted<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Error::Refused(Refusal::Forbidden(_) | Refusal::FactoryNotPermitted)) => Ok(None),
        Err(error) => Err(error),
    }
}

//! Checks agents, runners, playbooks, the settings of the factory and of refinement, and connections with the
//! code host.

use jiff::Timestamp;
use svc_domain::agent::Agent;
use svc_domain::budget::Budgets;
use svc_domain::code_host::{Connection, InstallationId, Webhook};
use svc_domain::ids::{AgentId, OrgId, PlaybookId, ProjectKey, RuleId, RunnerId};
use svc_domain::playbook::{FactorySettings, Playbook};
use svc_domain::refinement::RefinementSettings;
use svc_domain::rule::{Firing, Outcome, Rules};
use svc_domain::run::Run;
use svc_domain::runner::{Runner, RunnerStatus};
use svc_domain::wiki::Page;
use svc_domain::workflow::{Naming, Workflow};
use svc_storage::keys;

use super::context::{CheckContext, Subject, Verdict};
use super::item_or_mark::item_or_mark;
use super::kind::Kind;
use super::org_or_mark::org_or_mark;
use super::projects::{project_of, there_or_deleted};

pub(super) const KINDS: &[Kind] = &[
    Kind::new("ORG#<org>", "AGENT#<agent>", agent),
    Kind::new("ORG#<org>", "RUNNER#<runner>", runner),
    Kind::new("ORG#<org>", "SEEN#<runner>", seen),
    Kind::new("ORG#<org>", "CODEHOST", code_host),
    Kind::new("INSTALL#<installation>", "ORG", installation),
    Kind::new("ORG#<org>", "WEBHOOK", webhook),
    Kind::new("ORG#<org>", "BUDGETS", budgets),
    Kind::new("ORG#<org>", "STARTS", starts),
    Kind::new("HOOK#<sha256>", "ORG", webhook_address),
    Kind::new("PROJ#<org>#<KEY>", "FACTORY", settings),
    Kind::new("PROJ#<org>#<KEY>", "REFINEMENT", refinement),
    Kind::new("PROJ#<org>#<KEY>", "NAMINGS", namings),
    Kind::new("PROJ#<org>#<KEY>", "PLAYBOOK#<id>", playbook),
    Kind::new("PROJ#<org>#<KEY>", "RULES", rules),
    Kind::new("FIRED#<org>#<KEY>", "<time>#<entry>#<rule>", firing),
];

fn agent(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let agent: Agent = subject.read(context)?;
    subject.is_named(context, &keys::agent(org, agent.id));
    if !agent.is_there() {
        return Ok(());
    }
    let name = keys::org_name(org, "agent", &agent.name);
    if context.need::<AgentId>(&name, "claim of its name")?.is_some_and(|holder| holder != agent.id) {
        context.broken("another agent claims its name");
    }
    Ok(())
}

fn runner(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let runner: Runner = subject.read(context)?;
    subject.is_named(context, &keys::runner(org, runner.id));
    let name = keys::org_name(org, "runner", &runner.name);
    if context.need::<RunnerId>(&name, "claim of its name")?.is_some_and(|holder| holder != runner.id) {
        context.broken("another runner claims its name");
    }
    context.demand(&keys::credential(&runner.secret_hash), "credential of it").map(drop)
}

fn seen(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, runner): (OrgId, RunnerId) = (subject.part("org", context)?, subject.part("runner", context)?);
    subject.read::<RunnerStatus>(context)?;
    context.demand(&keys::runner(org, runner), "such runner").map(drop)
}

fn code_host(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let connection: Connection = subject.read(context)?;
    org_or_mark(context, org)?;
    let claim = keys::installation(connection.installation);
    if context.need::<OrgId>(&claim, "claim of its installation")?.is_some_and(|holder| holder != org) {
        context.broken("another organization claims its installation");
    }
    Ok(())
}

fn installation(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let installation: InstallationId = subject.part("installation", context)?;
    let org: OrgId = subject.read(context)?;
    let connection: Option<Connection> =
        context.need(&keys::code_host(org), "connection of the organization")?;
    if connection.is_some_and(|connection| connection.installation != installation) {
        context.broken("the organization is connected with another installation");
    }
    Ok(())
}

fn budgets(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let budgets: Budgets = subject.read(context)?;
    org_or_mark(context, org)?;
    for project in budgets.projects.keys() {
        there_or_deleted(context, org, project)?;
    }
    for agent in budgets.agents.keys() {
        context.demand(&keys::agent(org, *agent), "agent that a budget is for")?;
    }
    Ok(())
}

fn starts(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    subject.read::<Timestamp>(context)?;
    context.demand(&keys::budgets(org), "budgets of the organization").map(drop)
}

fn webhook(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let org: OrgId = subject.part("org", context)?;
    let webhook: Webhook = subject.read(context)?;
    org_or_mark(context, org)?;
    let address = keys::webhook_address(&webhook.address_hash);
    if context.need::<OrgId>(&address, "pointer from its address")?.is_some_and(|named| named != org) {
        context.broken("the pointer from its address names another organization");
    }
    Ok(())
}

fn webhook_address(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let hash: String = subject.part("sha256", context)?;
    let org: OrgId = subject.read(context)?;
    let webhook: Option<Webhook> = context.need(&keys::webhook(org), "webhook of the organization")?;
    if webhook.is_some_and(|webhook| webhook.address_hash != hash) {
        context.broken("the organization's webhook has another address");
    }
    Ok(())
}

fn settings(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let settings: FactorySettings = subject.read(context)?;
    if let Some(playbook) = settings.default_playbook {
        context.demand(&keys::playbook(org, &project, playbook), "default playbook")?;
    }
    if let Some(agent) = settings.default_agent {
        context.demand(&keys::agent(org, agent), "default agent")?;
    }
    Ok(())
}

fn refinement(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let settings: RefinementSettings = subject.read(context)?;
    are_states(context, org, &project, settings.naming())
}

fn namings(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    project_of(subject, context).map(drop)
}

fn playbook(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let playbook: Playbook = subject.read(context)?;
    subject.is_named(context, &keys::playbook(org, &project, playbook.id));
    if let Some(deletion) = &playbook.deleted {
        // Once it is past, or was on a server whose clock is ahead, the page may be brought back without it.
        if context.is_past(deletion.until()) {
            return Ok(());
        }
        let current: Option<Page> = context.read(&keys::wiki_page(org, &project, &playbook.page_path))?;
        if current.is_some_and(|page| page.id == playbook.page) {
            return Ok(());
        }
        let page = keys::wiki_deleted(org, &project, playbook.page);
        return context.demand(&page, "deleted page of its instructions").map(drop);
    }
    let name = keys::project_name(org, &project, "playbook", &playbook.name);
    if context.need::<PlaybookId>(&name, "claim of its name")?.is_some_and(|holder| holder != playbook.id) {
        context.broken("another playbook claims its name");
    }
    let page = keys::wiki_page(org, &project, &playbook.page_path);
    if context.need::<Page>(&page, "page of its instructions")?.is_some_and(|page| page.id != playbook.page) {
        context.broken("another page is where its instructions should be");
    }
    are_states(context, org, &project, playbook.namings())
}

fn rules(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let rules: Rules = subject.read(context)?;
    for rule in &rules.0 {
        context.demand(&keys::playbook(org, &project, rule.playbook), "playbook that a rule names")?;
        if let Some(agent) = rule.agent {
            context.demand(&keys::agent(org, agent), "agent that a rule names")?;
        }
    }
    are_states(context, org, &project, rules.namings())
}

/// That a run that a firing started is there, and says that this rule started it.
fn firing(subject: &Subject<'_>, context: &CheckContext<'_>) -> Verdict {
    let (org, project) = project_of(subject, context)?;
    let (time, rule): (String, RuleId) = (subject.part("time", context)?, subject.part("rule", context)?);
    let firing: Firing = subject.read(context)?;
    if firing.item.project != project
        || firing.rule != rule
        || time != keys::sortable(firing.at.as_millisecond())
    {
        context.broken("its key does not match its content");
    }
    item_or_mark(context, org, &firing.item, "such item")?;
    // A rule may be deleted since; the row of all of them stays.
    context.demand(&keys::rules(org, &project), "row of the project's rules")?;
    if let Outcome::Started { run } = firing.outcome
        && context
            .need::<Run>(&keys::run(org, run), "run that it started")?
            .is_some_and(|run| run.rule != Some(rule))
    {
        context.broken("the run that it names was started by something else");
    }
    Ok(())
}

/// Tells of what names a state that the workflow does not have, or writes otherwise.
fn are_states(
    context: &CheckContext<'_>,
    org: OrgId,
    project: &ProjectKey,
    namings: impl IntoIterator<Item = Naming>,
) -> Verdict {
    let Some(workflow) = context.read::<Workflow>(&keys::workflow(org, project))? else { return Ok(()) };
    for Naming { state, by } in namings {
        if !workflow.states.iter().any(|known| known.name == state) {
            context.broken(format!("the workflow has no state {state:?}, {by}"));
        }
    }
    Ok(())
}

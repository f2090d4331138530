//! Agents of an organization: list, create, change, delete and restore.
//!
//! Deleting marks the agent's row and frees its name, and nothing else: items, comments, runs, rules, schedules and
//! settings still name the agent, and report that it was deleted when they would start something. Queued runs wait
//! until it is restored or they are cancelled; running ones continue.

use svc_domain::access::Capability;
use svc_domain::agent::Agent;
use svc_domain::deletion::{Deletion, restorable};
use svc_domain::event::FactoryEvent;
use svc_domain::ids::{AgentId, OrgId};
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, Query, Range, Row, keys};

use super::naming;
use crate::App;
use crate::active_agents::active_agents;
use crate::entry::{Caller, enter_org, enter_org_with};
use crate::error::Result;
use crate::identity::bring_up_to_date;
use crate::transaction::Transaction;

/// An agent and its version.
pub type Versioned = (Agent, u64);

/// A wanted change of an agent; `None` leaves a field.
#[derive(Clone, Debug, Default)]
pub struct AgentEdit {
    /// The version last read.
    pub version: u64,
    /// New name.
    pub name: Option<String>,
    /// New model; `Some(None)` clears it.
    pub model: Option<Option<String>>,
    /// Disables or enables it.
    pub disabled: Option<bool>,
}

/// The organization's agents, oldest first; or the latest of those that were deleted and can be restored.
///
/// # Errors
/// Those of entering the organization.
pub async fn list(app: &App, caller: Caller<'_>, deleted: bool) -> Result<Vec<Versioned>> {
    let entry = enter_org(app, caller, Capability::SeeOrg).await?;
    let mut agents = match deleted {
        false => active_agents(app, entry.org_id()).await?,
        true => {
            let all = all(app, entry.org_id()).await?;
            restorable(all, |(agent, _)| agent.deleted.as_ref(), app.now())
        }
    };
    bring_up_to_date(app, entry.org_id(), agents.iter_mut().map(|(agent, _)| &mut agent.owner)).await?;
    Ok(agents)
}

/// Every agent of an organization, those too that were deleted: they are named.
pub(super) async fn all(app: &App, org: OrgId) -> Result<Vec<Versioned>> {
    let range = Range::Prefix(keys::AGENT_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::org_pk(org), range, 1_000)).await?;
    rows.iter().map(read).collect()
}

/// Creates an agent, which the caller owns.
///
/// # Errors
/// [`Refusal::AlreadyExists`] for a taken name; what [`Capability::AdministerOrg`] refuses.
pub async fn create(app: &App, caller: Caller<'_>, name: &str, model: Option<String>) -> Result<Versioned> {
    let entry = enter_org(app, caller, Capability::AdministerOrg).await?;
    naming::check(name)?;
    let model = checked_model(model)?;
    let agent = Agent {
        id: AgentId(app.uuid()),
        name: name.to_owned(),
        owner: entry.actor().clone(),
        model,
        disabled: false,
        created_at: app.now(),
        deleted: None,
    };
    let unique = keys::org_name(entry.org_id(), "agent", name);
    let ops = vec![
        Op::create(keys::agent(entry.org_id(), agent.id), &agent),
        Op::create(unique.clone(), &agent.id),
    ];
    let created = FactoryEvent::AgentCreated(agent.id, agent.name.clone());
    let transaction = Transaction::of(app, &entry).with(ops).telling(created);
    app.commit(transaction).await.map_err(|error| naming::taken(error, &unique, "an agent of this name"))?;
    Ok((agent, 1))
}

/// Changes an agent.
///
/// # Errors
/// As [`create`]; [`Refusal::NotFound`], [`Refusal::Deleted`], [`Refusal::StaleVersion`].
pub async fn update(app: &App, caller: Caller<'_>, id: AgentId, edit: &AgentEdit) -> Result<Versioned> {
    let wanted = |org| keys::agent(org, id);
    let (entry, row) = enter_org_with(app, caller, Capability::AdministerOrg, wanted).await?;
    let row = row.ok_or(Refusal::NotFound)?;
    let (mut agent, current) = read(&row)?;
    agent.require_there(app.now())?;
    if current != edit.version {
        return Err(Refusal::StaleVersion { current }.into());
    }
    let old_name = keys::org_name(entry.org_id(), "agent", &agent.name);
    if let Some(name) = &edit.name {
        naming::check(name)?;
        agent.name.clone_from(name);
    }
    if let Some(model) = &edit.model {
        agent.model = checked_model(model.clone())?;
    }
    agent.disabled = edit.disabled.unwrap_or(agent.disabled);
    bring_up_to_date(app, entry.org_id(), [&mut agent.owner]).await?;
    let unique = keys::org_name(entry.org_id(), "agent", &agent.name);
    let mut ops = vec![Op::replace(row.key.clone(), current, &agent)];
    ops.extend(naming::rename(old_name, unique.clone(), id));
    let changed = FactoryEvent::AgentChanged(agent.id, agent.name.clone());
    match app.commit(Transaction::of(app, &entry).with(ops).telling(changed)).await {
        Ok(()) => Ok((agent, current + 1)),
        Err(error) => Err(naming::taken(error, &unique, "an agent of this name")),
    }
}

/// Deletes an agent, which can be restored for a while. Doing it again changes nothing.
///
/// # Errors
/// [`Refusal::NotFound`]; what [`Capability::AdministerOrg`] refuses.
pub async fn delete(app: &App, caller: Caller<'_>, id: AgentId) -> Result<()> {
    app.decide(|| async {
        let wanted = |org| keys::agent(org, id);
        let (entry, row) = enter_org_with(app, caller, Capability::AdministerOrg, wanted).await?;
        let row = row.ok_or(Refusal::NotFound)?;
        let (mut agent, version) = read(&row)?;
        if !agent.is_there() {
            return Ok(());
        }
        let mut transaction = Transaction::of(app, &entry);
        agent.deleted = Some(Deletion { by: entry.actor().clone(), at: transaction.at() });
        let name = keys::org_name(entry.org_id(), "agent", &agent.name);
        transaction.write([Op::replace(row.key.clone(), version, &agent), Op::delete(name, Condition::None)]);
        app.commit(transaction.telling(FactoryEvent::AgentDeleted(id, agent.name))).await
    })
    .await
}

/// Restores a deleted agent as it was. One that is there stays as it is.
///
/// # Errors
/// [`Refusal::TakenMeanwhile`] where another agent has its name by now; [`Refusal::Deleted`] when it is too late;
/// [`Refusal::NotFound`]; what [`Capability::AdministerOrg`] refuses.
pub async fn restore(app: &App, caller: Caller<'_>, id: AgentId) -> Result<Versioned> {
    app.decide(|| async {
        let wanted = |org| keys::agent(org, id);
        let (entry, row) = enter_org_with(app, caller, Capability::AdministerOrg, wanted).await?;
        let row = row.ok_or(Refusal::NotFound)?;
        let (mut agent, version) = read(&row)?;
        bring_up_to_date(app, entry.org_id(), [&mut agent.owner]).await?;
        match &agent.deleted {
            None => return Ok((agent, version)),
            Some(deletion) if deletion.can_be_undone(app.now()) => agent.deleted = None,
            Some(_) => agent.require_there(app.now())?,
        }
        let unique = keys::org_name(entry.org_id(), "agent", &agent.name);
        let ops = [Op::replace(row.key.clone(), version, &agent), Op::create(unique.clone(), &id)];
        let restored = FactoryEvent::AgentRestored(id, agent.name.clone());
        let transaction = Transaction::of(app, &entry).with(ops).telling(restored);
        app.commit(transaction)
            .await
            .map_err(|error| naming::taken_meanwhile(error, &unique, "another agent"))?;
        Ok((agent, version + 1))
    })
    .await
}

/// A model's name goes to harnesses as an argument of its own: one word that is no option.
fn checked_model(model: Option<String>) -> Result<Option<String>, Refusal> {
    let fine = |model: &str| {
        (1..=100).contains(&model.len())
            && !model.starts_with('-')
            && !model.chars().any(|c| c.is_control() || c.is_whitespace())
    };
    match model {
        Some(model) if !fine(&model) => Err(Refusal::invalid(
            "model",
            "Give the model's name as the harness knows it: up to 100 characters without spaces.",
        )),
        model => Ok(model),
    }
}

fn read(row: &Row) -> Result<Versioned> {
    Ok((row.read()?, row.version))
}

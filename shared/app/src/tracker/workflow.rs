//! The workflow of a project.

use svc_domain::access::Capability;
use svc_domain::event::ProjectEvent;
use svc_domain::ids::ProjectKey;
use svc_domain::name::check_given;
use svc_domain::refusal::Refusal;
use svc_domain::replacement::What;
use svc_domain::workflow::{Move, Workflow};
use svc_storage::{Op, keys};

use super::replacements::Begun;
use super::state_names::StateNames;
use crate::App;
use crate::entry::{Caller, enter_project_with};
use crate::error::Result;
use crate::transaction::Transaction;

/// A workflow and its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionedWorkflow {
    /// The workflow.
    pub workflow: Workflow,
    /// Its version.
    pub version: u64,
}

/// The workflow of a project.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn get(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<VersionedWorkflow> {
    let wanted = |org| keys::workflow(org, project);
    let (_, row) = enter_project_with(app, caller, project, Capability::SeeProject, wanted).await?;
    let row = row.ok_or(Refusal::NotFound)?;
    Ok(VersionedWorkflow { workflow: row.read()?, version: row.version })
}

/// A workflow to set.
#[derive(Clone, Debug)]
pub struct SetWorkflow {
    /// The version last read.
    pub version: u64,
    /// The workflow.
    pub workflow: Workflow,
    /// The states that take the items of removed states.
    pub move_items: Vec<Move>,
}

/// Replaces the workflow of a project. Items of a state that goes are moved where `move_items` says, and what
/// names it names that state.
///
/// # Errors
/// [`Refusal::StaleVersion`]; [`Refusal::Invalid`] for a workflow that does not hold together or leaves items
/// behind, or leaves out a state that a playbook or the refinement settings name.
pub async fn set(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    set: &SetWorkflow,
) -> Result<VersionedWorkflow> {
    let (begun, workflow, version) = app.decide(|| set_once(app, caller, project, set)).await?;
    begun.carry_out(app).await;
    Ok(VersionedWorkflow { workflow, version })
}

async fn set_once(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    set: &SetWorkflow,
) -> Result<(Begun, Workflow, u64)> {
    let SetWorkflow { version, workflow, move_items } = set;
    let wanted = |org| (keys::workflow(org, project), keys::state_namings(org, project));
    let (entry, (row, namings)) =
        enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
    if entry.project.as_ref().is_some_and(|project| project.archived) {
        return Err(Refusal::ArchivedProject.into());
    }
    let row = row.ok_or(Refusal::NotFound)?;
    if row.version != *version {
        return Err(Refusal::StaleVersion { current: row.version }.into());
    }
    let old: Workflow = row.read()?;
    let workflow = Workflow { rules: old.rules, ..workflow.clone() }.shown_as(&old);
    let (workflow, move_items) = workflow.identified(&old, move_items)?;
    workflow.check()?;
    for state in workflow.states.iter().filter(|state| old.states.iter().all(|old| old.name != state.name)) {
        check_given("states", &state.name, None)?;
    }
    let org = entry.org_id();
    let counts = app.feeds.fresh(app, org, project).await?.read().state_counts();
    let names = StateNames::read(app, org, project, namings.as_ref()).await?;
    let moves = workflow.relocations(&counts, &names.namings(), &move_items)?;
    if old == workflow && moves.is_empty() {
        return Ok((Begun::new(app, &entry, project, vec![]), workflow, *version));
    }
    let mut transaction = Transaction::of(app, &entry)
        .with([Op::replace(keys::workflow(org, project), *version, &workflow)])
        .with(names.follow(&workflow, &moves))
        .telling(ProjectEvent::WorkflowChanged(project.clone(), old.turned(&workflow)));
    let what = moves.into_iter().map(|Move { from, to }| {
        let group = workflow.group_of(&to);
        What::State { from, to, group }
    });
    let what = what.collect();
    let begun = Begun::new(app, &entry, project, what);
    begun.begin(&mut transaction);
    app.commit(transaction).await?;
    Ok((begun, workflow, version + 1))
}

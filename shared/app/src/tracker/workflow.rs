//! The workflow of a project.

use svc_domain::access::Capability;
use svc_domain::ids::{OrgId, OrgSlug, ProjectKey};
use svc_domain::label::same;
use svc_domain::playbook::Playbook;
use svc_domain::refusal::Refusal;
use svc_domain::replacement::What;
use svc_domain::workflow::{Move, Naming, Workflow};
use svc_storage::{Op, Query, Range, Row, keys};

use super::replacements::Begun;
use crate::App;
use crate::entry::{Presented, enter_project};
use crate::error::Result;

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
pub async fn get(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    project: &ProjectKey,
) -> Result<VersionedWorkflow> {
    let mut entry = enter_project(app, caller, slug, project, Capability::SeeProject, |org| {
        vec![keys::workflow(org, project)]
    })
    .await?;
    let row = entry.take(0)?;
    Ok(VersionedWorkflow { workflow: row.read()?, version: row.version })
}

/// A workflow to set.
#[derive(Clone, Debug)]
pub struct SetWorkflow {
    /// The version last read.
    pub version: u64,
    /// The workflow.
    pub workflow: Workflow,
    /// Where the items of states that go shall go.
    pub move_items: Vec<Move>,
}

/// Replaces the workflow of a project. Items of a state that goes are moved where `move_items` says, and so
/// are playbooks that name it.
///
/// # Errors
/// [`Refusal::StaleVersion`]; [`Refusal::Invalid`] for a workflow that does not hold together or leaves items
/// behind, or leaves out a state that a playbook names.
pub async fn set(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    project: &ProjectKey,
    set: &SetWorkflow,
) -> Result<VersionedWorkflow> {
    let (begun, version) = app.decide(|| set_once(app, caller, slug, project, set)).await?;
    begun.carry_out(app).await;
    Ok(VersionedWorkflow { workflow: set.workflow.clone(), version })
}

async fn set_once(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    project: &ProjectKey,
    set: &SetWorkflow,
) -> Result<(Begun, u64)> {
    let SetWorkflow { version, workflow, move_items } = set;
    let mut entry = enter_project(app, caller, slug, project, Capability::ConfigureProject, |org| {
        vec![keys::workflow(org, project)]
    })
    .await?;
    if entry.project.as_ref().is_some_and(|project| project.archived) {
        return Err(Refusal::ArchivedProject.into());
    }
    let row = entry.take(0)?;
    if row.version != *version {
        return Err(Refusal::StaleVersion { current: row.version }.into());
    }
    workflow.check()?;
    let org = entry.org_id();
    let counts = app.feeds.fresh(app, org, project).await?.read().state_counts();
    let playbooks = playbooks(app, org, project).await?;
    let moves = workflow.relocations(&counts, &named(&playbooks), move_items)?;
    if row.read::<Workflow>()? == *workflow && moves.is_empty() {
        return Ok((Begun::new(app, &entry, project, vec![]), *version));
    }
    let mut ops = vec![Op::replace(keys::workflow(org, project), *version, workflow)];
    ops.extend(follow(playbooks, workflow, &moves));
    let what = moves.into_iter().map(|Move { from, to }| What::State { from, to }).collect();
    let begun = Begun::new(app, &entry, project, what);
    ops.extend(begun.ops());
    app.commit(ops).await?;
    Ok((begun, version + 1))
}

/// The playbooks of the project, each with its row.
async fn playbooks(app: &App, org: OrgId, project: &ProjectKey) -> Result<Vec<(Row, Playbook)>> {
    let range = Range::Prefix(keys::PLAYBOOK_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::project_pk(org, project), range, 1_000)).await?;
    rows.into_iter().map(|row| Ok((row.clone(), row.read()?))).collect()
}

/// The states that playbooks name.
fn named(playbooks: &[(Row, Playbook)]) -> Vec<Naming> {
    let of = |(_, playbook): &(Row, Playbook)| {
        let states = [("success", &playbook.success_state), ("failure", &playbook.failure_state)];
        let naming = |(what, state): (&str, &Option<String>)| {
            let by = format!("the {what} state of the playbook {:?}", playbook.name);
            state.clone().map(|state| Naming { state, by })
        };
        states.into_iter().filter_map(naming).collect::<Vec<_>>()
    };
    playbooks.iter().flat_map(of).collect()
}

/// Playbooks whose states go, with the states that come, as the new workflow writes them.
fn follow(playbooks: Vec<(Row, Playbook)>, workflow: &Workflow, moves: &[Move]) -> Vec<Op> {
    let changed = |(row, old): (Row, Playbook)| {
        let mut new = old.clone();
        for state in [&mut new.success_state, &mut new.failure_state].into_iter().flatten() {
            let step = moves.iter().find(|step| same(&step.from, state));
            let name = step.map_or(state.as_str(), |step| &step.to);
            if let Some(known) = workflow.find(name) {
                state.clone_from(&known.name);
            }
        }
        (new != old).then(|| Op::replace(row.key, row.version, &new))
    };
    playbooks.into_iter().filter_map(changed).collect()
}

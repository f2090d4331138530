//! The workflow of a project.

use svc_domain::access::Capability;
use svc_domain::ids::{OrgId, OrgSlug, ProjectKey};
use svc_domain::label::same;
use svc_domain::playbook::Playbook;
use svc_domain::refusal::Refusal;
use svc_domain::replacement::What;
use svc_domain::workflow::{Move, Workflow};
use svc_storage::{Op, Query, Range, keys};

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
/// behind.
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
    let moves = workflow.relocations(&counts, move_items)?;
    if row.read::<Workflow>()? == *workflow && moves.is_empty() {
        return Ok((Begun::new(app, &entry, project, vec![]), *version));
    }
    let mut ops = vec![Op::replace(keys::workflow(org, project), *version, workflow)];
    ops.extend(follow(app, org, project, &moves).await?);
    let what = moves.into_iter().map(|Move { from, to }| What::State { from, to }).collect();
    let begun = Begun::new(app, &entry, project, what);
    ops.extend(begun.ops());
    app.commit(ops).await?;
    Ok((begun, version + 1))
}

/// Playbooks whose states go, with the states that come.
async fn follow(app: &App, org: OrgId, project: &ProjectKey, moves: &[Move]) -> Result<Vec<Op>> {
    if moves.is_empty() {
        return Ok(vec![]);
    }
    let range = Range::Prefix(keys::PLAYBOOK_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::project_pk(org, project), range, 1_000)).await?;
    let mut ops = Vec::new();
    for row in rows {
        let old: Playbook = row.read()?;
        let mut new = old.clone();
        for state in [&mut new.success_state, &mut new.failure_state].into_iter().flatten() {
            if let Some(step) = moves.iter().find(|step| same(&step.from, state)) {
                state.clone_from(&step.to);
            }
        }
        if new != old {
            ops.push(Op::replace(row.key, row.version, &new));
        }
    }
    Ok(ops)
}

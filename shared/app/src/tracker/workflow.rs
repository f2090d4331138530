//! The workflow of a project.

use std::collections::BTreeMap;

use svc_domain::access::Capability;
use svc_domain::feed::FeedIndex;
use svc_domain::ids::{OrgSlug, ProjectKey};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::workflow::Workflow;
use svc_storage::{Op, keys};

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

/// Replaces the workflow of a project. A state that items are in stays.
///
/// An item that is moved at the same moment into a state that goes may go anywhere from there.
///
/// # Errors
/// [`Refusal::StaleVersion`]; [`Refusal::Invalid`] for a workflow that does not hold together or leaves items
/// behind.
pub async fn set(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    project: &ProjectKey,
    version: u64,
    workflow: &Workflow,
) -> Result<VersionedWorkflow> {
    app.decide(|| async {
        let mut entry = enter_project(app, caller, slug, project, Capability::ConfigureProject, |org| {
            vec![keys::workflow(org, project)]
        })
        .await?;
        if entry.project.as_ref().is_some_and(|project| project.archived) {
            return Err(Refusal::ArchivedProject.into());
        }
        let row = entry.take(0)?;
        if row.version != version {
            return Err(Refusal::StaleVersion { current: row.version }.into());
        }
        workflow.check()?;
        let org = entry.org_id();
        let feed = app.feeds.fresh(app, org, project).await?;
        none_left_behind(&feed.read(), workflow)?;
        if row.read::<Workflow>()? == *workflow {
            return Ok(VersionedWorkflow { workflow: workflow.clone(), version });
        }
        app.commit(vec![Op::replace(keys::workflow(org, project), version, workflow)]).await?;
        Ok(VersionedWorkflow { workflow: workflow.clone(), version: version + 1 })
    })
    .await
}

fn none_left_behind(items: &FeedIndex, workflow: &Workflow) -> Result<(), FieldErrors> {
    let mut behind: BTreeMap<&str, u64> = BTreeMap::new();
    for item in items.iter().filter(|item| workflow.find(&item.state).is_none()) {
        *behind.entry(&item.state).or_default() += 1;
    }
    let mut errors = FieldErrors::default();
    for (state, count) in behind {
        errors.add("states", format!("{state:?} still has {count} items. Move them first, or keep it."));
    }
    errors.into_result()
}

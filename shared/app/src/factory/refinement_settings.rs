//! Refinement settings of a project, which those who may start AI work see and change (specification sections
//! 2.4 and 5).

use svc_domain::access::Capability;
use svc_domain::event::FactoryEvent;
use svc_domain::ids::ProjectKey;
use svc_domain::refinement::{RefinementEdit, RefinementSettings};
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, RowOf, keys};

use crate::App;
use crate::entry::{Caller, enter_project_with};
use crate::error::Result;
use crate::tracker::saving_state_names;
use crate::transaction::Transaction;

/// Refinement settings and their version; 0 while nothing was ever set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionedSettings {
    /// The settings.
    pub settings: RefinementSettings,
    /// Their version.
    pub version: u64,
}

impl VersionedSettings {
    fn of(row: Option<&RowOf<RefinementSettings>>) -> Result<Self> {
        Ok(Self { settings: RowOf::or_default(row)?, version: row.map_or(0, |row| row.version) })
    }
}

/// The refinement settings of a project.
///
/// # Errors
/// What [`Capability::SeeFactory`] refuses.
pub async fn get(app: &App, caller: Caller<'_>, project: &ProjectKey) -> Result<VersionedSettings> {
    let wanted = |org| keys::refinement_settings(org, project);
    let (_, row) = enter_project_with(app, caller, project, Capability::SeeFactory, wanted).await?;
    VersionedSettings::of(row.as_ref())
}

/// Changes the refinement settings of a project. A change that changes nothing leaves the version.
///
/// # Errors
/// [`Refusal::StaleVersion`], [`Refusal::Invalid`]; what [`Capability::OperateFactory`] refuses.
pub async fn update(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    edit: &RefinementEdit,
) -> Result<VersionedSettings> {
    app.decide(|| async {
        let wanted = |org| (keys::workflow(org, project), keys::refinement_settings(org, project));
        let (entry, (workflow, row)) =
            enter_project_with(app, caller, project, Capability::OperateFactory, wanted).await?;
        let (org, workflow, row) = (entry.org_id(), workflow.ok_or(Refusal::NotFound)?, row.as_ref());
        let old = VersionedSettings::of(row)?;
        if old.version != edit.version {
            return Err(Refusal::StaleVersion { current: old.version }.into());
        }
        let settings = old.settings.changed(edit, &workflow.read()?)?;
        if settings == old.settings {
            return Ok(old);
        }
        let condition = row.map_or(Condition::Absent, |row| Condition::Version(row.version));
        let mut ops = vec![Op::put(keys::refinement_settings(org, project), condition, &settings)];
        ops.extend(saving_state_names(org, project, &workflow));
        let changed = FactoryEvent::RefinementSettingsChanged(project.clone());
        app.commit(Transaction::of(app, &entry).with(ops).telling(changed)).await?;
        Ok(VersionedSettings { settings, version: old.version + 1 })
    })
    .await
}

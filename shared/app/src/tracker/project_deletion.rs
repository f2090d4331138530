//! Deleting a project, and restoring it.
//!
//! Protocol.
//! 1. Deleting moves the project's row to [`keys::deleted_project`], in one commit with its events. Nothing else is
//!    touched. Every path to what is in the project asks for the project's row first ([`crate::entry`],
//!    [`crate::visible_projects`], the lists of projects), so all of it is reached by nobody, also not by a way that
//!    nobody thought of, nor through a server of an older version.
//! 2. A commit that begins a run demands the project's row as it was read, so none begins after the deletion. A message
//!    then stops those that wait or are at work ([`crate::factory::stopping`]). Any other change that was on its way goes
//!    through, as if it had happened a moment earlier: it is restored, or taken away, with the project.
//! 3. Restoring moves the row back, in a later version than it had.
//! 4. A message comes when it can be restored no more ([`super::project_purge`]). What stays of the row keeps the key
//!    from being used again: old keys of items never lead to others.

use svc_domain::access::Capability;
use svc_domain::deleted_project::DeletedProject;
use svc_domain::deletion::Deletion;
use svc_domain::event::ProjectEvent;
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::project::Project;
use svc_domain::refusal::Refusal;
use svc_storage::{KeyOf, Op, Query, Range, RowOf, keys};

use super::projects::{SeenProject, seen_by};
use crate::App;
use crate::entry::{Caller, enter_org, enter_org_with};
use crate::error::Result;
use crate::identity::bring_up_to_date;
use crate::transaction::Transaction;

/// Deletes a project, which can be restored for a while. `confirmed` is its key, typed again. Doing it again changes
/// nothing.
///
/// # Errors
/// [`Refusal::Invalid`] for another key than the project's; [`Refusal::NotFound`]; what
/// [`Capability::AdministerOrg`] refuses.
pub async fn delete(app: &App, caller: Caller<'_>, key: &ProjectKey, confirmed: &str) -> Result<()> {
    app.decide(|| async {
        let (entry, rows) =
            enter_org_with(app, caller, Capability::AdministerOrg, |org| rows_of(org, key)).await?;
        let row = match &rows {
            (Some(row), _) => row,
            (None, Some(_)) => return Ok(()),
            (None, None) => return Err(Refusal::NotFound.into()),
        };
        DeletedProject::require_confirmed(key, confirmed)?;
        let mut transaction = Transaction::of(app, &entry);
        let deletion = Deletion { by: entry.actor().clone(), at: transaction.at() };
        let project: Project = row.read()?;
        let deleted =
            DeletedProject { key: key.clone(), project: Some(project), row_version: row.version, deletion };
        transaction.write([row.deleted(), Op::create(keys::deleted_project(entry.org_id(), key), &deleted)]);
        app.commit(transaction.telling(ProjectEvent::Deleted(key.clone()))).await
    })
    .await
}

/// The projects that were deleted and can be restored, of those that the caller could see, by key.
///
/// # Errors
/// Those of entering the organization.
pub async fn list(app: &App, caller: Caller<'_>) -> Result<Vec<SeenProject>> {
    let entry = enter_org(app, caller, Capability::SeeOrg).await?;
    let org = entry.org_id();
    let range = Range::Prefix(keys::DELETED_PROJECT_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::org_pk(org), range, 1_000)).await?;
    let mut found = Vec::new();
    for row in rows {
        let deleted: DeletedProject = row.read()?;
        let Some(project) = deleted.kept(app.now()).cloned() else { continue };
        let (version, deletion) = (deleted.row_version, Some(deleted.deletion));
        found.push(SeenProject { project, version, role: None, deletion });
    }
    let mut found = seen_by(app, &entry, found).await?;
    let actors = found.iter_mut().filter_map(|seen| seen.deletion.as_mut());
    bring_up_to_date(app, org, actors.map(|deletion| &mut deletion.by)).await?;
    Ok(found)
}

/// Restores a deleted project as it was. One that is there stays as it is.
///
/// # Errors
/// [`Refusal::Deleted`] when it is too late; [`Refusal::NotFound`]; what [`Capability::AdministerOrg`] refuses.
pub async fn restore(app: &App, caller: Caller<'_>, key: &ProjectKey) -> Result<SeenProject> {
    app.decide(|| async {
        let (entry, rows) =
            enter_org_with(app, caller, Capability::AdministerOrg, |org| rows_of(org, key)).await?;
        let (project, version) = match &rows {
            (Some(row), _) => (row.read()?, row.version),
            (None, Some(row)) => {
                let deleted: DeletedProject = row.read()?;
                let project = deleted.kept(app.now()).cloned();
                let project = project.ok_or_else(|| deleted.refusal(app.now()))?;
                let version = deleted.next_row_version();
                let ops =
                    [row.deleted(), Op::create_at(keys::project(entry.org_id(), key), version, &project)];
                let restored = ProjectEvent::Restored(key.clone());
                app.commit(Transaction::of(app, &entry).with(ops).telling(restored)).await?;
                (project, version)
            }
            (None, None) => return Err(Refusal::NotFound.into()),
        };
        let seen = SeenProject { project, version, role: None, deletion: None };
        // Owners and Admins see every project.
        seen_by(app, &entry, vec![seen]).await?.pop().ok_or_else(|| Refusal::NotFound.into())
    })
    .await
}

/// The row of a project, and that of one that was deleted.
fn rows_of(org: OrgId, key: &ProjectKey) -> (KeyOf<Project>, KeyOf<DeletedProject>) {
    (keys::project(org, key), keys::deleted_project(org, key))
}

/// What is kept of a project since it was deleted at this time; `None` where it was restored.
pub(crate) async fn deleted_at(
    app: &App,
    org: OrgId,
    key: &ProjectKey,
    at: jiff::Timestamp,
) -> Result<Option<(DeletedProject, RowOf<DeletedProject>)>> {
    let Some(row) = app.table.find(&keys::deleted_project(org, key)).await? else { return Ok(None) };
    let deleted: DeletedProject = row.read()?;
    Ok((deleted.deletion.at == at).then_some((deleted, row)))
}

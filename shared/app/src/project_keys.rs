//! The keys of all projects of an organization, for what is written into each of them.

use svc_domain::deleted_project::DeletedProject;
use svc_domain::ids::{OrgId, ProjectKey};
use svc_storage::{Limits, Query, Range, keys};

use crate::App;
use crate::error::Result;

/// The projects of an organization, those too that were deleted and may be restored: what names people, agents and
/// members must be true there as well when they come back.
pub(crate) async fn project_keys(app: &App, org: OrgId) -> Result<Vec<ProjectKey>> {
    let rows = |prefix: &str| {
        let range = Range::Prefix(prefix.to_owned());
        app.table.query_all(Query::new(keys::org_pk(org), range, Limits::KEYS))
    };
    // A project that is deleted meanwhile is in the second list, and one that is restored in one of them: it comes twice
    // rather than not at all.
    let mut found = Vec::new();
    for row in rows(keys::DELETED_PROJECT_PREFIX).await? {
        let deleted: DeletedProject = row.read()?;
        found.extend(deleted.project.map(|project| project.key));
    }
    let there = rows(keys::PROJECT_PREFIX).await?;
    found.extend(there.iter().filter_map(|row| row.key.sk.strip_prefix(keys::PROJECT_PREFIX)?.parse().ok()));
    for row in rows(keys::DELETED_PROJECT_PREFIX).await? {
        let deleted: DeletedProject = row.read()?;
        found.extend(deleted.project.map(|project| project.key));
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

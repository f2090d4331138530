//! Who may read and edit a page: viewing and changing what the page says of it.

use svc_domain::access::Capability;
use svc_domain::event::WikiEvent;
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::refusal::FieldErrors;
use svc_domain::wiki::PageChange;
use svc_domain::wiki::audience::{Audience, PageAccess};
use svc_storage::keys;

use super::find::{find_page, require_version};
use super::store::{self, named, next_version, version_ops};
use crate::App;
use crate::entry::Caller;
use crate::error::Result;
use crate::transaction::Transaction;
use crate::wanted;

/// What a page says of its readers and editors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenAccess {
    /// Version of the page.
    pub version: u64,
    /// What it says itself; what is above it narrows this.
    pub access: PageAccess,
    /// Whether the caller may change it.
    pub can_change: bool,
}

/// The new readers and editors of a page.
#[derive(Clone, Debug)]
pub struct SetAccess {
    /// The version last read.
    pub version: u64,
    /// All that it says.
    pub access: PageAccess,
}

/// What a page says of its readers and editors.
///
/// # Errors
/// [`NotFound`](svc_domain::refusal::Refusal::NotFound) for a page that does not exist or is not for the caller.
pub async fn access(app: &App, caller: Caller<'_>, project: &ProjectKey, path: &str) -> Result<SeenAccess> {
    let (found, current) = find_page(app, caller, project, path, Capability::SeeProject).await?;
    let can_change = found.entry.access.may(Capability::ConfigureProject);
    Ok(SeenAccess { version: current.page.version, access: current.page.access, can_change })
}

/// Changes who may read and edit a page and those below it. It is a version of the page, so that its history
/// tells who changed it.
///
/// # Errors
/// A stale version; people who are not of the organization; what [`Capability::ConfigureProject`] refuses.
pub async fn set_access(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    path: &str,
    wanted: &SetAccess,
) -> Result<SeenAccess> {
    app.decide(|| set_once(app, caller, project, path, wanted)).await
}

async fn set_once(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    path: &str,
    wanted: &SetAccess,
) -> Result<SeenAccess> {
    let (found, current) = find_page(app, caller, project, path, Capability::ConfigureProject).await?;
    require_version(&current, wanted.version)?;
    wanted.access.check()?;
    let (org, page) = (found.entry.org_id(), &current.page);
    if page.access == wanted.access {
        return Ok(SeenAccess { version: page.version, access: page.access.clone(), can_change: true });
    }
    require_members(app, org, &wanted.access).await?;
    let text = store::text(app, org, page.id, page.version).await?;
    let mut next = next_version(app, page, found.entry.actor());
    next.access = wanted.access.clone();
    let ops = version_ops(org, project, Some(current.row_version), &next, &text.body, PageChange::Access);
    let changed = WikiEvent::AccessChanged(named(project, &next));
    app.commit(Transaction::of(app, &found.entry).with(ops).telling(changed)).await?;
    Ok(SeenAccess { version: next.version, access: next.access, can_change: true })
}

/// Refuses people who do not belong to the organization, by the field that names them.
async fn require_members(app: &App, org: OrgId, access: &PageAccess) -> Result<()> {
    let mut errors = FieldErrors::default();
    for (field, audience) in [("read", &access.read), ("edit", &access.edit)] {
        let Some(Audience::People(people)) = audience else { continue };
        let wanted: Vec<_> = people.iter().map(|user| keys::member(org, *user)).collect();
        let rows = wanted::load(app, wanted).await?;
        for (user, _) in people.iter().zip(rows).filter(|(_, row)| row.is_none()) {
            errors.add(field, format!("Nobody in the organization has the id {user}."));
        }
    }
    Ok(errors.into_result()?)
}

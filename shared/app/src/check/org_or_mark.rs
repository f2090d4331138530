//! Finds the organization that a row belongs to, even if it was deleted.

use svc_domain::deleted_org::DeletedOrg;
use svc_domain::identity::Org;
use svc_domain::ids::{OrgId, OrgSlug};
use svc_storage::keys;

use super::context::{CheckContext, Stop, Verdict};

/// The slug of the organization, whether it is there or deleted; tells when it is neither. `what` completes "there is
/// no …".
pub(super) fn slug_of(context: &CheckContext<'_>, org: OrgId, what: &str) -> Result<Option<OrgSlug>, Stop> {
    let name = keys::org(org);
    if let Some(org) = context.read::<Org>(&name)? {
        return Ok(Some(org.slug));
    }
    if let Some(deleted) = context.read::<DeletedOrg>(&keys::deleted_org(org))? {
        return Ok(Some(deleted.slug));
    }
    context.demand(&name, what)?;
    Ok(None)
}

/// Tells when the organization is neither there nor deleted.
pub(super) fn org_or_mark(context: &CheckContext<'_>, org: OrgId) -> Verdict {
    slug_of(context, org, "such organization").map(drop)
}

/// Whether there is such an organization, or what is kept of it while it can be restored.
pub(super) fn is_there(context: &CheckContext<'_>, org: OrgId) -> Result<bool, Stop> {
    if context.has(&keys::org(org))? {
        return Ok(true);
    }
    let deleted: Option<DeletedOrg> = context.read(&keys::deleted_org(org))?;
    Ok(deleted.is_some_and(|deleted| deleted.org.is_some()))
}

/// Whether a worker is taking the organization away, so that of what belongs together some may be gone.
pub(super) fn is_leaving(context: &CheckContext<'_>, org: OrgId) -> Result<bool, Stop> {
    let deleted: Option<DeletedOrg> = context.read(&keys::deleted_org(org))?;
    Ok(deleted.is_some_and(|deleted| deleted.org.is_none()))
}

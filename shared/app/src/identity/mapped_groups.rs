//! Which groups give which roles in an organization: read by who sees the administration, set by Owners.

use svc_domain::access::Capability;
use svc_domain::event::OrgEvent;
use svc_domain::groups::GroupRoles;
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, RowOf, keys};

use super::directory;
use crate::App;
use crate::entry::{Caller, Entry, enter_org_with};
use crate::error::Result;
use crate::transaction::Transaction;

/// The roles of groups in an organization.
#[derive(Clone, Debug)]
pub struct MappedGroups {
    /// Which group gives which role.
    pub mapped: GroupRoles,
    /// Version of their row; 0 while there is none.
    pub version: u64,
    /// Whether the groups count that the identity provider of the instance names.
    pub at_sign_in: bool,
}

/// The roles that groups give.
///
/// # Errors
/// As [`enter_org`](crate::entry::enter_org).
pub async fn group_roles(app: &App, caller: Caller<'_>) -> Result<MappedGroups> {
    let (_, row) = enter_org_with(app, caller, Capability::SeeAdministration, keys::group_roles).await?;
    seen(app, caller, row.as_ref())
}

fn seen(app: &App, caller: Caller<'_>, row: Option<&RowOf<GroupRoles>>) -> Result<MappedGroups> {
    let at_sign_in = app.sign_in.as_ref().is_some_and(|it| it.group_organizations.contains(caller.org));
    let mapped = RowOf::or_default(row)?;
    Ok(MappedGroups { mapped, version: row.map_or(0, |row| row.version), at_sign_in })
}

/// Maps groups to roles. People of the directory have their new roles at once, others at their next sign-in.
///
/// # Errors
/// As [`enter_org`](crate::entry::enter_org); [`Refusal::StaleVersion`]; [`Refusal::ReadOnlyOrganization`].
pub async fn set_group_roles(
    app: &App,
    caller: Caller<'_>,
    version: u64,
    mapped: &GroupRoles,
) -> Result<MappedGroups> {
    let (entry, seen) = app.decide(|| set_once(app, caller, version, mapped)).await?;
    directory::give_all(app, &entry).await?;
    Ok(seen)
}

async fn set_once(
    app: &App,
    caller: Caller<'_>,
    version: u64,
    mapped: &GroupRoles,
) -> Result<(Entry, MappedGroups)> {
    let (entry, row) = enter_org_with(app, caller, Capability::GovernOrg, keys::group_roles).await?;
    if entry.org.read_only {
        return Err(Refusal::ReadOnlyOrganization.into());
    }
    let before = seen(app, caller, row.as_ref())?;
    if before.version != version {
        return Err(Refusal::StaleVersion { current: before.version }.into());
    }
    if before.mapped == *mapped {
        return Ok((entry, before));
    }
    let condition = row.map_or(Condition::Absent, |row| Condition::Version(row.version));
    let op = Op::put(keys::group_roles(entry.org_id()), condition, mapped);
    let told = OrgEvent::GroupRolesChanged(before.mapped.to_string(), mapped.to_string());
    app.commit(Transaction::of(app, &entry).with([op]).telling(told)).await?;
    Ok((entry, MappedGroups { mapped: mapped.clone(), version: version + 1, ..before }))
}

//! Members of an organization.
//!
//! Protocol of the last Owner. A commit that takes an Owner also checks that another Owner's row is still
//! what it was when it was read. Of two such commits that count on each other's Owner, one finds it changed,
//! loads again, and finds nobody else.

use svc_domain::access::Capability;
use svc_domain::event::{OrgEvent, Standing};
use svc_domain::identity::{Member, OrgRole, ProjectMember};
use svc_domain::ids::{OrgId, UserId};
use svc_domain::invitation::Terms;
use svc_domain::membership::{LAST_OWNER, RoleChange};
use svc_domain::natural::natural_key;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{Condition, KeyOf, Limits, Op, Query, Range, RowOf, keys};

use super::Known;
use super::invitations::{Invited, NewInvitation, invite};
use crate::App;
use crate::entry::{Caller, enter_org, enter_org_with};
use crate::error::Result;
use crate::project_keys::project_keys;
use crate::transaction::Transaction;
use crate::wanted;

/// A member and the version of its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionedMember {
    /// The member.
    pub member: Member,
    /// Version of its row.
    pub version: u64,
}

/// Whom to add, and as what.
#[derive(Clone, Debug)]
pub struct NewMember {
    /// Address of the person.
    pub email: String,
    /// Whether the caller chose a password.
    pub has_password: bool,
    /// Role.
    pub role: OrgRole,
    /// The flag `Can start AI work`.
    pub can_start_ai_work: bool,
}

/// What of a member to change.
#[derive(Clone, Copy, Debug)]
pub struct MemberChange {
    /// The version that the caller read.
    pub version: u64,
    /// New role.
    pub role: Option<OrgRole>,
    /// New value of the flag.
    pub can_start_ai_work: Option<bool>,
}

/// The members that a caller may know of, by name: Owners and Admins know everybody. Others know those whom they
/// work with, and no address but their own.
///
/// # Errors
/// As [`enter_org`].
pub async fn members(app: &App, caller: Caller<'_>) -> Result<Vec<VersionedMember>> {
    let entry = enter_org(app, caller, Capability::SeeOrg).await?;
    let mut members = all(app, entry.org_id()).await?;
    if !entry.access.may(Capability::SeeAdministration) {
        let known = Known::to(app, &entry.access).await?;
        members.retain(|m| known.includes(&m.member));
        for other in members.iter_mut().filter(|m| Some(m.member.user) != entry.access.user()) {
            other.member.email.clear();
        }
    }
    members.sort_by_cached_key(|m| (natural_key(&m.member.display_name), m.member.user));
    Ok(members)
}

/// Adds a person by their address: invites them. Whether there is an account of the address, and under which
/// name, is for nobody to learn here; the account, its name and its password are its owner's.
///
/// # Errors
/// As [`invite`]; [`Refusal::Invalid`] for a password, which nobody sets for somebody else.
pub async fn add_member(app: &App, caller: Caller<'_>, new: NewMember) -> Result<Invited> {
    let entry = enter_org(app, caller, Capability::AdministerOrg).await?;
    RoleChange::added(new.role).permitted_to(entry.org_role())?;
    if new.has_password {
        let why = "you cannot set another person's password: leave this out; they choose one when they join";
        return Err(Refusal::invalid("password", why).into());
    }
    let terms = Terms::of_role(new.role, new.can_start_ai_work)?;
    invite(app, caller, NewInvitation { email: new.email, terms }).await
}

/// Changes a member's role and flag.
///
/// # Errors
/// As [`enter_org`]; [`Refusal::NotFound`], [`Refusal::StaleVersion`], [`Refusal::Forbidden`];
/// [`Refusal::Conflict`] for the last Owner.
pub async fn update_member(
    app: &App,
    caller: Caller<'_>,
    user: UserId,
    change: MemberChange,
) -> Result<VersionedMember> {
    app.decide(|| update(app, caller, user, change)).await
}

async fn update(
    app: &App,
    caller: Caller<'_>,
    user: UserId,
    change: MemberChange,
) -> Result<VersionedMember> {
    let wanted = |org| keys::member(org, user);
    let (entry, row) = enter_org_with(app, caller, Capability::AdministerOrg, wanted).await?;
    let row = row.ok_or(Refusal::NotFound)?;
    if row.version != change.version {
        return Err(Refusal::StaleVersion { current: row.version }.into());
    }
    let before: Member = row.read()?;
    let role = change.role.unwrap_or(before.role);
    if role == OrgRole::Guest && change.can_start_ai_work == Some(true) {
        return Err(FieldErrors::one("canStartAiWork", "Guests cannot start AI work.").into());
    }
    // A Guest loses the right, and it does not come back with the role.
    let kept = before.can_start_ai_work && before.role != OrgRole::Guest && role != OrgRole::Guest;
    let can_start_ai_work = change.can_start_ai_work.unwrap_or(kept);
    // A role by hand is one by hand, whatever groups gave before.
    let given = before.given.filter(|_| role == before.role);
    let member = Member { role, can_start_ai_work, given, ..before.clone() };
    let roles = RoleChange::changed(before.role, member.role);
    roles.permitted_to(entry.org_role())?;
    if member == before {
        return Ok(VersionedMember { member, version: row.version });
    }
    let mut ops = vec![row.replaced_by(&member)];
    ops.extend(another_owner(app, entry.org_id(), user, roles).await?);
    let changed = OrgEvent::MemberChanged(user, Standing::of(&before), Standing::of(&member));
    app.commit(Transaction::of(app, &entry).with(ops).telling(changed)).await?;
    Ok(VersionedMember { member, version: row.version + 1 })
}

/// Removes a member from the organization and from all its projects. The account stays.
///
/// # Errors
/// As [`enter_org`]; [`Refusal::NotFound`], [`Refusal::Forbidden`]; [`Refusal::Conflict`] for the last Owner.
pub async fn remove_member(app: &App, caller: Caller<'_>, user: UserId) -> Result<()> {
    app.decide(|| remove(app, caller, user)).await
}

/// Operations of the last commit of a removal that are about projects; the others have room beside them.
const PROJECTS_AT_ONCE: usize = Limits::OPS - 10;

async fn remove(app: &App, caller: Caller<'_>, user: UserId) -> Result<()> {
    let wanted = |org| keys::member(org, user);
    let (entry, row) = enter_org_with(app, caller, Capability::AdministerOrg, wanted).await?;
    let row = row.ok_or(Refusal::NotFound)?;
    RoleChange::removed(row.read()?.role).permitted_to(entry.org_role())?;
    take_out(app, entry.org_id(), user, row, Transaction::of(app, &entry)).await
}

/// Takes the caller out of an organization and all its projects.
///
/// # Errors
/// As [`enter_org`]; [`Refusal::Forbidden`] for agents; [`Refusal::Conflict`] for the last Owner.
pub async fn leave_org(app: &App, caller: Caller<'_>) -> Result<()> {
    app.decide(|| async {
        let entry = enter_org(app, caller, Capability::LeaveOrg).await?;
        let user = entry.access.user().ok_or(Refusal::NotFound)?;
        let org = entry.org_id();
        let row = app.table.find(&keys::member(org, user)).await?.ok_or(Refusal::NotFound)?;
        take_out(app, org, user, row, Transaction::of(app, &entry)).await
    })
    .await
}

/// Ends a membership and its roles in projects, with the transaction as the last commit of it.
///
/// # Errors
/// [`LAST_OWNER`]; those of storage.
pub(super) async fn take_out(
    app: &App,
    org: OrgId,
    user: UserId,
    row: RowOf<Member>,
    transaction: Transaction,
) -> Result<()> {
    let roles = RoleChange::removed(row.read()?.role);
    let guard = another_owner(app, org, user, roles).await?;
    // The membership goes last and with as many projects as fit: a crash leaves a member of fewer projects,
    // never a role in a project that would come back with the member.
    let mut projects = leaving(app, org, user).await?;
    while projects.len() > PROJECTS_AT_ONCE {
        let some = projects.split_off(projects.len() - PROJECTS_AT_ONCE);
        app.commit(Transaction::by_itself(app, org).with(some)).await?;
    }
    projects.push(row.deleted());
    projects.push(Op::delete(keys::user_org(user, org), Condition::None));
    projects.extend(guard);
    app.commit(transaction.with(projects).telling(OrgEvent::MemberRemoved(user))).await
}

/// For each project: out of it, or proof that the person is not in it.
async fn leaving(app: &App, org: OrgId, user: UserId) -> Result<Vec<Op>> {
    let projects = project_keys(app, org).await?;
    let roles: Vec<_> = projects.iter().map(|key| keys::project_member(org, key, user)).collect();
    let rows = wanted::load(app, roles.clone()).await?;
    let end = |(key, row): (KeyOf<ProjectMember>, Option<RowOf<ProjectMember>>)| match row {
        Some(row) => Op::delete(key, Condition::Version(row.version)),
        None => Op::check(key, Condition::Absent),
    };
    Ok(roles.into_iter().zip(rows).map(end).collect())
}

/// The condition that another Owner stays, where the change takes one.
pub(super) async fn another_owner(
    app: &App,
    org: OrgId,
    user: UserId,
    roles: RoleChange,
) -> Result<Option<Op>> {
    if !roles.takes_an_owner() {
        return Ok(None);
    }
    let members = all(app, org).await?;
    let other = members.iter().find(|m| m.member.user != user && m.member.role == OrgRole::Owner);
    let other = other.ok_or(LAST_OWNER)?;
    Ok(Some(Op::check(keys::member(org, other.member.user), Condition::Version(other.version))))
}

pub(crate) async fn all(app: &App, org: OrgId) -> Result<Vec<VersionedMember>> {
    let range = Range::Prefix(keys::MEMBER_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::org_pk(org), range, Limits::KEYS)).await?;
    rows.iter().map(|row| Ok(VersionedMember { member: row.read()?, version: row.version })).collect()
}

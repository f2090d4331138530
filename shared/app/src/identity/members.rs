//! Members of an organization.
//!
//! Protocol of the last Owner. A commit that takes an Owner also checks that another Owner's row is still
//! what it was when it was read. Of two such commits that count on each other's Owner, one finds it changed,
//! loads again, and finds nobody else.

use svc_domain::access::{Capability, Standing};
use svc_domain::account;
use svc_domain::identity::{Member, OrgRole, User};
use svc_domain::ids::{OrgId, ProjectKey, UserId};
use svc_domain::membership::{LAST_OWNER, RoleChange};
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::{Condition, Key, Limits, Op, Query, Range, Row, StorageError, keys};

use super::passwords;
use crate::App;
use crate::entry::{Caller, Entry, enter_org};
use crate::error::Result;

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
    /// Address of the account.
    pub email: String,
    /// Name of a new account.
    pub display_name: Option<String>,
    /// First password of a new account.
    pub password: Option<String>,
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

/// Every member, by name.
///
/// # Errors
/// As [`enter_org`].
pub async fn members(app: &App, caller: Caller<'_>) -> Result<Vec<VersionedMember>> {
    let entry = enter_org(app, caller, Capability::SeeOrg, |_| Vec::new()).await?;
    let mut members = all(app, entry.org_id()).await?;
    members.sort_by_cached_key(|m| (m.member.display_name.to_lowercase(), m.member.user));
    Ok(members)
}

/// Adds an account to an organization, making the account where the address is new.
///
/// # Errors
/// As [`enter_org`]; [`Refusal::Invalid`], [`Refusal::Forbidden`]; [`Refusal::Conflict`] for who is a member
/// already.
pub async fn add_member(app: &App, caller: Caller<'_>, new: NewMember) -> Result<VersionedMember> {
    let entry = enter_org(app, caller, Capability::AdministerOrg, |_| Vec::new()).await?;
    RoleChange::added(new.role).permitted_to(role_of(&entry))?;
    let account = NewAccount::of(app, &new).await?;
    app.decide(|| add(app, caller, &new, &account)).await
}

/// What is known of the account before anyone looks whether there is one.
struct NewAccount {
    email: String,
    display_name: Option<String>,
    password_hash: Option<String>,
}

impl NewAccount {
    async fn of(app: &App, new: &NewMember) -> Result<Self> {
        let mut errors = FieldErrors::default();
        let email = errors.check("email", account::email(&new.email));
        let named = new.display_name.as_deref().map(account::name);
        let display_name = named.and_then(|name| errors.check("displayName", name));
        if let Some(password) = &new.password {
            errors.check("password", account::password(password));
        }
        let Some(email) = email else { return Err(errors.into()) };
        errors.into_result()?;
        let password_hash = match &new.password {
            Some(password) => Some(passwords::hash(app, password).await?),
            None => None,
        };
        Ok(Self { email, display_name, password_hash })
    }

    /// The account, for an address that has none.
    fn make(&self, app: &App) -> Result<User, FieldErrors> {
        let mut errors = FieldErrors::default();
        if self.display_name.is_none() {
            errors.add("displayName", "required: there is no account of this address yet");
        }
        if self.password_hash.is_none() {
            errors.add("password", "required: there is no account of this address yet");
        }
        let (Some(display_name), Some(password_hash)) = (&self.display_name, &self.password_hash) else {
            return Err(errors);
        };
        let (email, name, hash) = (self.email.clone(), display_name.clone(), password_hash.clone());
        Ok(User::new(UserId(app.uuid()), email, name, hash, app.now()))
    }
}

async fn add(
    app: &App,
    caller: Caller<'_>,
    new: &NewMember,
    account: &NewAccount,
) -> Result<VersionedMember> {
    let mut entry =
        enter_org(app, caller, Capability::AdministerOrg, |_| vec![keys::email(&account.email)]).await?;
    RoleChange::added(new.role).permitted_to(role_of(&entry))?;
    let org = entry.org_id();
    let mut ops = Vec::new();
    let user = match entry.rows.pop().flatten() {
        Some(row) => {
            let (user, unchanged) = existing(app, org, row.read()?, new).await?;
            ops.push(unchanged);
            user
        }
        None => {
            let user = account.make(app)?;
            ops.push(Op::create(keys::email(&user.email), &user.id));
            ops.push(Op::create(keys::user(user.id), &user));
            user
        }
    };
    let member = Member::of(&user, new.role, new.can_start_ai_work);
    ops.push(Op::create(keys::member(org, user.id), &member));
    ops.push(Op::put(keys::user_org(user.id, org), Condition::None, caller.org));
    app.commit(ops).await?;
    Ok(VersionedMember { member, version: 1 })
}

/// The account of an address, and that it is still called so when the membership repeats its name.
async fn existing(app: &App, org: OrgId, user: UserId, new: &NewMember) -> Result<(User, Op)> {
    let mut rows = app.table.get_many(&[keys::member(org, user), keys::user(user)]).await?.into_iter();
    if rows.next().flatten().is_some() {
        return Err(Refusal::Conflict("this account is a member of the organization already").into());
    }
    if new.password.is_some() {
        let why = "there is an account of this address, which keeps its password: leave this out";
        return Err(Refusal::invalid("password", why).into());
    }
    let row = rows.next().flatten().ok_or_else(|| StorageError::Corrupt(format!("no account {user}")))?;
    Ok((row.read()?, Op::check(row.key, Condition::Version(row.version))))
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
    let mut entry =
        enter_org(app, caller, Capability::AdministerOrg, |org| vec![keys::member(org, user)]).await?;
    let row = entry.take(0)?;
    if row.version != change.version {
        return Err(Refusal::StaleVersion { current: row.version }.into());
    }
    let before: Member = row.read()?;
    let member = Member {
        role: change.role.unwrap_or(before.role),
        can_start_ai_work: change.can_start_ai_work.unwrap_or(before.can_start_ai_work),
        ..before.clone()
    };
    let roles = RoleChange::changed(before.role, member.role);
    roles.permitted_to(role_of(&entry))?;
    let mut ops = vec![Op::replace(row.key, row.version, &member)];
    ops.extend(another_owner(app, entry.org_id(), user, roles).await?);
    app.commit(ops).await?;
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
    let mut entry =
        enter_org(app, caller, Capability::AdministerOrg, |org| vec![keys::member(org, user)]).await?;
    let row = entry.take(0)?;
    RoleChange::removed(row.read::<Member>()?.role).permitted_to(role_of(&entry))?;
    take_out(app, entry.org_id(), user, row).await
}

/// Takes the caller out of an organization and all its projects.
///
/// # Errors
/// As [`enter_org`]; [`Refusal::Forbidden`] for agents; [`Refusal::Conflict`] for the last Owner.
pub async fn leave_org(app: &App, caller: Caller<'_>) -> Result<()> {
    app.decide(|| async {
        let entry = enter_org(app, caller, Capability::LeaveOrg, |_| Vec::new()).await?;
        let user = entry.access.user().ok_or(Refusal::NotFound)?;
        let org = entry.org_id();
        let row = app.table.get(&keys::member(org, user)).await?.ok_or(Refusal::NotFound)?;
        take_out(app, org, user, row).await
    })
    .await
}

async fn take_out(app: &App, org: OrgId, user: UserId, row: Row) -> Result<()> {
    let roles = RoleChange::removed(row.read::<Member>()?.role);
    let guard = another_owner(app, org, user, roles).await?;
    // The membership goes last and with as many projects as fit: a crash leaves a member of fewer projects,
    // never a role in a project that would come back with the member.
    let mut projects = leaving(app, org, user).await?;
    while projects.len() > PROJECTS_AT_ONCE {
        app.commit(projects.split_off(projects.len() - PROJECTS_AT_ONCE)).await?;
    }
    projects.push(Op::delete(row.key, Condition::Version(row.version)));
    projects.push(Op::delete(keys::user_org(user, org), Condition::None));
    projects.extend(guard);
    app.commit(projects).await
}

/// For each project: out of it, or proof that the person is not in it.
async fn leaving(app: &App, org: OrgId, user: UserId) -> Result<Vec<Op>> {
    let range = Range::Prefix(keys::PROJECT_PREFIX.to_owned());
    let projects = app.table.query_all(Query::new(keys::org_pk(org), range, Limits::KEYS)).await?;
    let roles: Vec<Key> = projects
        .iter()
        .filter_map(|row| row.key.sk.strip_prefix(keys::PROJECT_PREFIX)?.parse::<ProjectKey>().ok())
        .map(|key| keys::project_member(org, &key, user))
        .collect();
    let mut ops = Vec::with_capacity(roles.len());
    for chunk in roles.chunks(Limits::KEYS) {
        let rows = app.table.get_many(chunk).await?;
        ops.extend(chunk.iter().zip(rows).map(|(key, row)| match row {
            Some(Row { version, .. }) => Op::delete(key.clone(), Condition::Version(version)),
            None => Op::check(key.clone(), Condition::Absent),
        }));
    }
    Ok(ops)
}

/// The condition that another Owner stays, where the change takes one.
async fn another_owner(app: &App, org: OrgId, user: UserId, roles: RoleChange) -> Result<Option<Op>> {
    if !roles.takes_an_owner() {
        return Ok(None);
    }
    let members = all(app, org).await?;
    let other = members.iter().find(|m| m.member.user != user && m.member.role == OrgRole::Owner);
    let other = other.ok_or(LAST_OWNER)?;
    Ok(Some(Op::check(keys::member(org, other.member.user), Condition::Version(other.version))))
}

async fn all(app: &App, org: OrgId) -> Result<Vec<VersionedMember>> {
    let range = Range::Prefix(keys::MEMBER_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::org_pk(org), range, Limits::KEYS)).await?;
    rows.iter().map(|row| Ok(VersionedMember { member: row.read()?, version: row.version })).collect()
}

/// The caller's role. Agents have none and are refused before.
pub(super) fn role_of(entry: &Entry) -> OrgRole {
    match &entry.access.standing {
        Standing::Member(member) => member.role,
        Standing::Agent { .. } => OrgRole::Guest,
    }
}

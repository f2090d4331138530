//! People of the directory: invited or linked when they are active, and out of the organization when they are not.

use std::collections::BTreeSet;

use svc_domain::account;
use svc_domain::directory::{DirectoryGroup, DirectoryUser};
use svc_domain::identity::{Member, OrgRole};
use svc_domain::ids::{DirectoryGroupId, DirectoryUserId, OrgId};
use svc_domain::invitation::Terms;
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, RowOf, keys};

use super::{Filter, Provisioner, all, demand, enter, enter_to_change, give, kept, member_of};
use crate::App;
use crate::entry::Caller;
use crate::error::Result;
use crate::identity::invitations::{NewInvitation, invite_from_directory, withdraw_from_directory};
use crate::identity::members::take_out;
use crate::wanted;

/// A person of the directory as it is shown.
#[derive(Clone, Debug)]
pub struct SeenUser {
    /// The person.
    pub user: DirectoryUser,
    /// Version of the row.
    pub version: u64,
    /// Whether they are invited or a member.
    pub active: bool,
    /// Their groups, with their names.
    pub groups: Vec<(DirectoryGroupId, String)>,
}

/// A person to write.
#[derive(Clone, Debug)]
pub struct NewUser {
    /// Address.
    pub email: String,
    /// What the provider calls them.
    pub external_id: Option<String>,
    /// Name.
    pub display_name: Option<String>,
    /// Whether they belong to the organization.
    pub active: bool,
}

/// What of a person to change.
#[derive(Clone, Debug, Default)]
pub struct UserChange {
    /// The version that the caller read, where it says one.
    pub version: Option<u64>,
    /// New address.
    pub email: Option<String>,
    /// What the provider calls them now; within, `None` for nothing.
    pub external_id: Option<Option<String>>,
    /// New name; within, `None` for none.
    pub display_name: Option<Option<String>>,
    /// Whether they belong to the organization.
    pub active: Option<bool>,
}

/// A person.
///
/// # Errors
/// As [`enter`]; [`Refusal::NotFound`].
pub async fn user(app: &App, caller: Caller<'_>, id: DirectoryUserId) -> Result<SeenUser> {
    let provisioner = enter(app, caller).await?;
    let org = provisioner.org();
    let row = app.table.find(&keys::directory_user(org, id)).await?.ok_or(Refusal::NotFound)?;
    one(app, org, row.read()?, row.version).await
}

/// People in the order in which they were written, from `offset` on and `size` at most; and how many there are.
///
/// # Errors
/// As [`enter`].
pub async fn users(
    app: &App,
    caller: Caller<'_>,
    filter: &Filter,
    offset: usize,
    size: usize,
) -> Result<(Vec<SeenUser>, usize)> {
    let org = enter(app, caller).await?.org();
    let mut found: Vec<(DirectoryUser, u64)> = match filter {
        Filter::Named(email) => named(app, org, email).await?.into_iter().collect(),
        Filter::All | Filter::External(_) => all(app, org, keys::DIRECTORY_USER_PREFIX).await?,
    };
    if let Filter::External(id) = filter {
        found.retain(|(user, _)| user.external_id.as_ref() == Some(id));
    }
    let total = found.len();
    let page = found.into_iter().skip(offset).take(size).collect();
    Ok((see(app, org, page).await?, total))
}

async fn named(app: &App, org: OrgId, email: &str) -> Result<Option<(DirectoryUser, u64)>> {
    let Some(held) = app.table.get(&keys::directory_email(org, email)).await? else { return Ok(None) };
    let Some(row) = app.table.find(&keys::directory_user(org, held.read()?)).await? else { return Ok(None) };
    Ok(Some((row.read()?, row.version)))
}

/// Writes a person. Who is a member with this address already is linked, and everybody else invited, as a Guest: groups
/// give more.
///
/// # Errors
/// As [`enter`]; [`Refusal::Invalid`], [`Refusal::AlreadyExists`], [`Refusal::RateLimited`],
/// [`Refusal::ReadOnlyOrganization`].
pub async fn create_user(app: &App, caller: Caller<'_>, new: NewUser) -> Result<SeenUser> {
    let provisioner = enter_to_change(app, caller).await?;
    let org = provisioner.org();
    let email = account::public_email(&new.email).map_err(|why| Refusal::invalid("userName", why))?;
    let (external_id, display_name) =
        (kept("externalId", new.external_id)?, kept("displayName", new.display_name)?);
    if app.table.get(&keys::directory_email(org, &email)).await?.is_some() {
        return Err(TAKEN.into());
    }
    let mut user = DirectoryUser {
        id: DirectoryUserId(app.uuid()),
        email,
        external_id,
        display_name,
        active: new.active,
        user: None,
        groups: BTreeSet::new(),
        created_at: app.now(),
        changed_at: app.now(),
    };
    if user.active {
        let_in(app, &provisioner, &mut user).await?;
    }
    let ops = [
        Op::create(keys::directory_email(org, &user.email), &user.id),
        Op::create(keys::directory_user(org, user.id), &user),
    ];
    match app.commit(provisioner.transaction(app).with(ops)).await {
        Err(error) if crate::is_conflict(&error) => Err(TAKEN.into()),
        committed => {
            committed?;
            one(app, org, user, 1).await
        }
    }
}

/// Changes a person.
///
/// # Errors
/// As [`create_user`]; [`Refusal::NotFound`], [`Refusal::StaleVersion`]; [`Refusal::Conflict`] for the last Owner.
pub async fn change_user(
    app: &App,
    caller: Caller<'_>,
    id: DirectoryUserId,
    change: UserChange,
) -> Result<SeenUser> {
    app.decide(|| change_once(app, caller, id, &change)).await
}

async fn change_once(
    app: &App,
    caller: Caller<'_>,
    id: DirectoryUserId,
    change: &UserChange,
) -> Result<SeenUser> {
    let provisioner = enter_to_change(app, caller).await?;
    let org = provisioner.org();
    let row = app.table.find(&keys::directory_user(org, id)).await?.ok_or(Refusal::NotFound)?;
    demand(change.version, &row)?;
    let before = row.read()?;
    let mut after = before.clone();
    if let Some(email) = &change.email {
        after.email = account::public_email(email).map_err(|why| Refusal::invalid("userName", why))?;
    }
    if let Some(external_id) = &change.external_id {
        after.external_id = kept("externalId", external_id.clone())?;
    }
    if let Some(display_name) = &change.display_name {
        after.display_name = kept("displayName", display_name.clone())?;
    }
    let mut ops = Vec::new();
    let moves = !after.email.eq_ignore_ascii_case(&before.email);
    let (from, to) = (keys::directory_email(org, &before.email), keys::directory_email(org, &after.email));
    if from != to {
        if app.table.get(&to).await?.is_some() {
            return Err(TAKEN.into());
        }
        ops.extend([Op::delete(from, Condition::None), Op::create(to, &id)]);
    }
    after.active = change.active.unwrap_or(before.active);
    let linked = is_member(app, org, &before).await?;
    if !after.active || (moves && !linked) {
        shut_out(app, &provisioner, &before).await?;
        after.user = None;
    }
    if after.active && (!linked || after.user.is_none()) && (moves || change.active.is_some()) {
        let_in(app, &provisioner, &mut after).await?;
    }
    if after == before {
        return one(app, org, after, row.version).await;
    }
    after.changed_at = app.now();
    ops.push(row.replaced_by(&after));
    app.commit(provisioner.transaction(app).with(ops)).await?;
    give(app, org, &after, || provisioner.transaction(app)).await?;
    one(app, org, after, row.version + 1).await
}

/// Takes a person out of the directory, and out of the organization. The account stays.
///
/// # Errors
/// As [`change_user`].
pub async fn delete_user(
    app: &App,
    caller: Caller<'_>,
    id: DirectoryUserId,
    version: Option<u64>,
) -> Result<()> {
    app.decide(|| async {
        let provisioner = enter_to_change(app, caller).await?;
        let org = provisioner.org();
        let row = app.table.find(&keys::directory_user(org, id)).await?.ok_or(Refusal::NotFound)?;
        demand(version, &row)?;
        let person = row.read()?;
        shut_out(app, &provisioner, &person).await?;
        let ops = [row.deleted(), Op::delete(keys::directory_email(org, &person.email), Condition::None)];
        app.commit(provisioner.transaction(app).with(ops)).await
    })
    .await
}

/// Links a person with the member of their address, or invites them.
async fn let_in(app: &App, provisioner: &Provisioner, person: &mut DirectoryUser) -> Result<()> {
    person.user = member_of(app, provisioner.org(), &person.email).await?;
    if person.user.is_some() {
        return Ok(());
    }
    let terms = Terms::of_role(OrgRole::Guest, false)?;
    let new = NewInvitation { email: person.email.clone(), terms };
    invite_from_directory(app, &provisioner.entry, &new, &provisioner.via).await
}

/// Ends the membership of a person, or withdraws their invitation.
async fn shut_out(app: &App, provisioner: &Provisioner, person: &DirectoryUser) -> Result<()> {
    let org = provisioner.org();
    withdraw_from_directory(app, &provisioner.entry, &person.email, &provisioner.via).await?;
    // Somebody who was invited may have joined in another way meanwhile.
    let Some(user) = person.user.or(member_of(app, org, &person.email).await?) else { return Ok(()) };
    let Some(row) = app.table.find(&keys::member(org, user)).await? else { return Ok(()) };
    take_out(app, org, user, row, provisioner.transaction(app)).await
}

async fn is_member(app: &App, org: OrgId, person: &DirectoryUser) -> Result<bool> {
    let Some(user) = person.user else { return Ok(false) };
    Ok(app.table.find(&keys::member(org, user)).await?.is_some())
}

async fn one(app: &App, org: OrgId, user: DirectoryUser, version: u64) -> Result<SeenUser> {
    Ok(see(app, org, vec![(user, version)]).await?.pop().ok_or(Refusal::NotFound)?)
}

/// People with what is shown of them.
async fn see(app: &App, org: OrgId, people: Vec<(DirectoryUser, u64)>) -> Result<Vec<SeenUser>> {
    let linked: Vec<_> =
        people.iter().map(|(person, _)| person.user.map(|user| keys::member(org, user))).collect();
    let groups: BTreeSet<DirectoryGroupId> =
        people.iter().flat_map(|(person, _)| person.groups.iter().copied()).collect();
    let wanted: Vec<_> = groups.iter().map(|id| keys::directory_group(org, *id)).collect();
    let (members, groups) = wanted::load(app, (linked, wanted)).await?;
    let groups: Vec<DirectoryGroup> =
        groups.iter().flatten().map(RowOf::read).collect::<std::result::Result<_, _>>()?;
    let seen = |((user, version), member): ((DirectoryUser, u64), Option<RowOf<Member>>)| {
        let named = groups.iter().filter(|group| user.groups.contains(&group.id));
        let groups = named.map(|group| (group.id, group.name.clone())).collect();
        let active = user.active && (user.user.is_none() || member.is_some());
        SeenUser { user, version, active, groups }
    };
    Ok(people.into_iter().zip(members).map(seen).collect())
}

const TAKEN: Refusal = Refusal::AlreadyExists("a person of this userName");

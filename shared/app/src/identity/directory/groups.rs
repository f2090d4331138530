//! Groups of the directory, and who is in them.

use std::collections::BTreeSet;

use svc_domain::directory::{DirectoryGroup, DirectoryUser};
use svc_domain::groups;
use svc_domain::ids::{DirectoryGroupId, DirectoryUserId, OrgId};
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Op, keys};

use super::{Filter, Provisioner, all, demand, enter, enter_to_change, give, kept};
use crate::App;
use crate::entry::Caller;
use crate::error::Result;
use crate::wanted;

/// People that one request puts into a group or takes out of it at most.
const MOST_AT_ONCE: usize = 1_000;

/// A group as it is shown.
#[derive(Clone, Debug)]
pub struct SeenGroup {
    /// The group.
    pub group: DirectoryGroup,
    /// Version of the row.
    pub version: u64,
    /// Who is in it: id and address.
    pub members: Vec<(DirectoryUserId, String)>,
}

/// A group to write.
#[derive(Clone, Debug)]
pub struct NewGroup {
    /// Name.
    pub name: String,
    /// What the provider calls it.
    pub external_id: Option<String>,
    /// Who is in it.
    pub members: BTreeSet<DirectoryUserId>,
}

/// What of a group to change, in this order.
#[derive(Clone, Debug, Default)]
pub struct GroupChange {
    /// The version that the caller read, where it says one.
    pub version: Option<u64>,
    /// New name.
    pub name: Option<String>,
    /// What the provider calls it now; within, `None` for nothing.
    pub external_id: Option<Option<String>>,
    /// Who is in it, and nobody else.
    pub members: Option<BTreeSet<DirectoryUserId>>,
    /// Who comes in.
    pub add: BTreeSet<DirectoryUserId>,
    /// Who goes.
    pub remove: BTreeSet<DirectoryUserId>,
}

/// A group.
///
/// # Errors
/// As [`enter`]; [`Refusal::NotFound`].
pub async fn group(app: &App, caller: Caller<'_>, id: DirectoryGroupId) -> Result<SeenGroup> {
    let org = enter(app, caller).await?.org();
    one(app, org, id).await
}

/// Groups in the order in which they were written, from `offset` on and `size` at most; and how many there are.
///
/// # Errors
/// As [`enter`].
pub async fn groups(
    app: &App,
    caller: Caller<'_>,
    filter: &Filter,
    offset: usize,
    size: usize,
) -> Result<(Vec<SeenGroup>, usize)> {
    let org = enter(app, caller).await?.org();
    let mut found: Vec<(DirectoryGroup, u64)> = all(app, org, keys::DIRECTORY_GROUP_PREFIX).await?;
    match filter {
        Filter::All => {}
        Filter::Named(name) => found.retain(|(group, _)| group.name.to_lowercase() == name.to_lowercase()),
        Filter::External(id) => found.retain(|(group, _)| group.external_id.as_ref() == Some(id)),
    }
    let total = found.len();
    let people: Vec<(DirectoryUser, u64)> = all(app, org, keys::DIRECTORY_USER_PREFIX).await?;
    let seen = |(group, version): (DirectoryGroup, u64)| {
        let members = within(&people, group.id).map(|person| (person.id, person.email.clone())).collect();
        SeenGroup { group, version, members }
    };
    Ok((found.into_iter().skip(offset).take(size).map(seen).collect(), total))
}

/// Writes a group.
///
/// # Errors
/// As [`enter`]; [`Refusal::Invalid`], [`Refusal::AlreadyExists`], [`Refusal::ReadOnlyOrganization`].
pub async fn create_group(app: &App, caller: Caller<'_>, new: NewGroup) -> Result<SeenGroup> {
    let provisioner = enter_to_change(app, caller).await?;
    let org = provisioner.org();
    let name = groups::name(&new.name).map_err(|why| Refusal::invalid("displayName", why))?;
    there(app, org, &new.members).await?;
    let external_id = kept("externalId", new.external_id)?;
    let (id, now) = (DirectoryGroupId(app.uuid()), app.now());
    let group = DirectoryGroup { id, name, external_id, created_at: now, changed_at: now };
    let ops = [
        Op::create(keys::directory_group_name(org, &group.name), &group.id),
        Op::create(keys::directory_group(org, group.id), &group),
    ];
    match app.commit(provisioner.transaction(app).with(ops)).await {
        Err(error) if crate::is_conflict(&error) => return Err(TAKEN.into()),
        committed => committed?,
    }
    for member in new.members {
        set(app, &provisioner, id, member, true).await?;
    }
    one(app, org, id).await
}

/// Changes a group, and who is in it. A new name may give other roles.
///
/// # Errors
/// As [`create_group`]; [`Refusal::NotFound`], [`Refusal::StaleVersion`].
pub async fn change_group(
    app: &App,
    caller: Caller<'_>,
    id: DirectoryGroupId,
    change: GroupChange,
) -> Result<SeenGroup> {
    let provisioner = enter_to_change(app, caller).await?;
    let org = provisioner.org();
    if let Some(members) = &change.members {
        there(app, org, members).await?;
    }
    there(app, org, &change.add).await?;
    if change.remove.len() > MOST_AT_ONCE {
        return Err(Refusal::invalid("members", TOO_MANY).into());
    }
    let renamed = app.decide(|| write(app, &provisioner, id, &change)).await?;
    let people: Vec<(DirectoryUser, u64)> = all(app, org, keys::DIRECTORY_USER_PREFIX).await?;
    let now: BTreeSet<DirectoryUserId> = within(&people, id).map(|person| person.id).collect();
    let wanted = change.members.unwrap_or_else(|| now.clone());
    let wanted: BTreeSet<DirectoryUserId> =
        wanted.union(&change.add).copied().filter(|member| !change.remove.contains(member)).collect();
    for member in now.difference(&wanted) {
        set(app, &provisioner, id, *member, false).await?;
    }
    for member in wanted {
        // Once more for those who are in it, too: an earlier request may have been cut off before it gave the role.
        if renamed || !now.contains(&member) || change.add.contains(&member) {
            set(app, &provisioner, id, member, true).await?;
        }
    }
    one(app, org, id).await
}

/// Writes name and id of a group; answers whether it has another name.
async fn write(
    app: &App,
    provisioner: &Provisioner,
    id: DirectoryGroupId,
    change: &GroupChange,
) -> Result<bool> {
    let org = provisioner.org();
    let row = app.table.find(&keys::directory_group(org, id)).await?.ok_or(Refusal::NotFound)?;
    demand(change.version, &row)?;
    let before = row.read()?;
    let mut after = DirectoryGroup { changed_at: app.now(), ..before.clone() };
    if let Some(name) = &change.name {
        after.name = groups::name(name).map_err(|why| Refusal::invalid("displayName", why))?;
    }
    if let Some(external_id) = &change.external_id {
        after.external_id = kept("externalId", external_id.clone())?;
    }
    let mut ops = vec![row.replaced_by(&after)];
    let (from, to) =
        (keys::directory_group_name(org, &before.name), keys::directory_group_name(org, &after.name));
    if from != to {
        if app.table.get(&to).await?.is_some() {
            return Err(TAKEN.into());
        }
        ops.extend([Op::delete(from, Condition::None), Op::create(to, &id)]);
    }
    app.commit(provisioner.transaction(app).with(ops)).await?;
    Ok(before.name != after.name)
}

/// Takes a group out of the directory, and what it gave.
///
/// # Errors
/// As [`change_group`].
pub async fn delete_group(
    app: &App,
    caller: Caller<'_>,
    id: DirectoryGroupId,
    version: Option<u64>,
) -> Result<()> {
    let provisioner = enter_to_change(app, caller).await?;
    let org = provisioner.org();
    let row = app.table.find(&keys::directory_group(org, id)).await?.ok_or(Refusal::NotFound)?;
    demand(version, &row)?;
    let people: Vec<(DirectoryUser, u64)> = all(app, org, keys::DIRECTORY_USER_PREFIX).await?;
    for person in within(&people, id) {
        set(app, &provisioner, id, person.id, false).await?;
    }
    app.decide(|| async {
        let Some(row) = app.table.find(&keys::directory_group(org, id)).await? else { return Ok(()) };
        let group = row.read()?;
        let ops = [row.deleted(), Op::delete(keys::directory_group_name(org, &group.name), Condition::None)];
        app.commit(provisioner.transaction(app).with(ops)).await
    })
    .await
}

/// Puts a person into a group or takes them out of it, and gives them the role of their groups.
async fn set(
    app: &App,
    provisioner: &Provisioner,
    group: DirectoryGroupId,
    member: DirectoryUserId,
    within: bool,
) -> Result<()> {
    let org = provisioner.org();
    let person = app
        .decide(|| async {
            let Some(row) = app.table.find(&keys::directory_user(org, member)).await? else {
                return Ok(None);
            };
            let mut person: DirectoryUser = row.read()?;
            let changed = if within { person.groups.insert(group) } else { person.groups.remove(&group) };
            if person.groups.len() > MOST_GROUPS {
                return Err(Refusal::Conflict("a person is in a hundred groups at most").into());
            }
            if changed {
                person.changed_at = app.now();
                let ops = [row.replaced_by(&person)];
                app.commit(provisioner.transaction(app).with(ops)).await?;
            }
            Ok(Some(person))
        })
        .await?;
    let Some(person) = person else { return Ok(()) };
    give(app, org, &person, || provisioner.transaction(app)).await
}

/// Groups that a person is in at most.
const MOST_GROUPS: usize = 100;

/// Refuses people who are not in the directory.
async fn there(app: &App, org: OrgId, members: &BTreeSet<DirectoryUserId>) -> Result<()> {
    if members.len() > MOST_AT_ONCE {
        return Err(Refusal::invalid("members", TOO_MANY).into());
    }
    let wanted: Vec<_> = members.iter().map(|id| keys::directory_user(org, *id)).collect();
    let rows = wanted::load(app, wanted).await?;
    if rows.iter().any(Option::is_none) {
        return Err(Refusal::invalid("members", "names somebody who is not in the directory").into());
    }
    Ok(())
}

fn within(people: &[(DirectoryUser, u64)], group: DirectoryGroupId) -> impl Iterator<Item = &DirectoryUser> {
    people.iter().map(|(person, _)| person).filter(move |person| person.groups.contains(&group))
}

async fn one(app: &App, org: OrgId, id: DirectoryGroupId) -> Result<SeenGroup> {
    let row = app.table.find(&keys::directory_group(org, id)).await?.ok_or(Refusal::NotFound)?;
    let people: Vec<(DirectoryUser, u64)> = all(app, org, keys::DIRECTORY_USER_PREFIX).await?;
    let members = within(&people, id).map(|person| (person.id, person.email.clone())).collect();
    Ok(SeenGroup { group: row.read()?, version: row.version, members })
}

const TOO_MANY: &str = "has at most 1000 people in one request";
const TAKEN: Refusal = Refusal::AlreadyExists("a group of this displayName");

//! Brings the copies of an account up to date. Memberships repeat name, address and picture, so that lists and requests
//! read one row; items repeat the names of people, because lists are answered from memory. Whatever else repeats names
//! has them looked up when it is read ([`super::names`]).

use futures::{StreamExt as _, TryStreamExt as _, stream};
use svc_domain::agent::Agent;
use svc_domain::event::OrgEvent;
use svc_domain::feed::FeedEntry;
use svc_domain::identity::ProjectMember;
use svc_domain::ids::{Actor, ActorId, AgentId, ItemKey, OrgId, ProjectKey, UserId};
use svc_storage::{Limits, Op, RowOf, keys};

use super::orgs::of_person;
use crate::App;
use crate::error::Result;
use crate::project_keys::project_keys;
use crate::tracker::ItemChange;
use crate::transaction::Transaction;
use crate::wanted;

/// Items that one message changes, and how many at the same time.
const PASS: usize = 5_000;
const WIDTH: usize = 16;

/// Brings the copies of an account's name, address and picture up to date; answers whether items are left to be
/// changed.
///
/// # Errors
/// Those of storage: the message comes again.
pub async fn spread(app: &App, id: UserId) -> Result<bool> {
    let mut room = PASS;
    for org in of_person(app, id).await? {
        let projects = project_keys(app, org).await?;
        if let Some(who) = app.decide(|| spread_to_members(app, id, org, &projects)).await? {
            spread_to_items(app, org, &projects, &who, &mut room).await?;
        }
    }
    Ok(room == 0)
}

/// Brings the name of an agent up to date in the items that name it; answers whether items are left to be changed.
///
/// # Errors
/// Those of storage: the message comes again.
pub async fn spread_agent(app: &App, org: OrgId, id: AgentId) -> Result<bool> {
    let Some(row) = app.table.find(&keys::agent(org, id)).await? else { return Ok(false) };
    let agent: Agent = row.read()?;
    let mut room = PASS;
    let who = Actor { id: ActorId::Agent(id), name: agent.name };
    spread_to_items(app, org, &project_keys(app, org).await?, &who, &mut room).await?;
    Ok(room == 0)
}

/// Brings the memberships up to date; answers how the person is called, if they belong to the organization.
async fn spread_to_members(
    app: &App,
    id: UserId,
    org: OrgId,
    projects: &[ProjectKey],
) -> Result<Option<Actor>> {
    let found = wanted::load(app, (keys::user(id), keys::member(org, id))).await?;
    let (Some(account), Some(membership)) = found else { return Ok(None) };
    let (user, member) = (account.read()?, membership.read()?);
    let known = account.unchanged();
    let now = member.brought_up_to_date(&user);
    if member != now {
        let copy = membership.replaced_by(&now);
        let who = Actor { id: ActorId::User(id), name: user.display_name.clone() };
        let mut transaction = Transaction::on_behalf(app, org, &who).with([known.clone(), copy]);
        if member.display_name != user.display_name {
            let (from, to) = (member.display_name, user.display_name.clone());
            transaction.tell(OrgEvent::MemberRenamed(id, from, to));
        }
        app.commit(transaction).await?;
    }
    let copies = project_copies(app, org, projects, id, &user.display_name).await?;
    for chunk in copies.chunks(Limits::OPS - 1) {
        let copies = [std::slice::from_ref(&known), chunk].concat();
        app.commit(Transaction::by_itself(app, org).with(copies)).await?;
    }
    Ok(Some(Actor { id: ActorId::User(id), name: user.display_name }))
}

/// Writes the name into the items that repeat an older one, as many as there is room for. It is no change of theirs:
/// nobody's edit becomes stale by it.
async fn spread_to_items(
    app: &App,
    org: OrgId,
    projects: &[ProjectKey],
    who: &Actor,
    room: &mut usize,
) -> Result<()> {
    for project in projects {
        let feed = app.feeds.fresh(app, org, project).await?;
        let old = |actor: &Actor| actor.id == who.id && actor.name != who.name;
        let named = |entry: &&FeedEntry| {
            let holder = entry.claim.as_ref().map(|claim| &claim.holder);
            let worked = entry.last_run.as_ref().map(|last| &last.agent);
            entry.assignee.iter().chain(holder).chain(worked).chain([&entry.created_by]).any(old)
        };
        let items: Vec<ItemKey> =
            feed.read().iter().filter(named).take(*room).map(|entry| entry.key(project)).collect();
        *room -= items.len();
        let change = |key: ItemKey| async move { app.decide(|| spread_to_item(app, org, &key, who)).await };
        stream::iter(items.into_iter().map(change)).buffer_unordered(WIDTH).try_collect::<()>().await?;
    }
    Ok(())
}

async fn spread_to_item(app: &App, org: OrgId, key: &ItemKey, who: &Actor) -> Result<()> {
    let Some(row) = app.table.find(&keys::item(org, key)).await? else { return Ok(()) };
    let mut change = ItemChange::update(org, row.read()?, row.version).as_heartbeat();
    let item = &mut change.item;
    let holder = item.claim.as_mut().map(|claim| &mut claim.holder);
    let worked = item.last_run.as_mut().map(|last| &mut last.agent);
    for actor in item.assignee.iter_mut().chain(holder).chain(worked).chain([&mut item.created_by]) {
        if actor.id == who.id {
            actor.name.clone_from(&who.name);
        }
    }
    let mut transaction = Transaction::by_itself(app, org);
    transaction.save(change);
    app.commit(transaction).await
}

async fn project_copies(
    app: &App,
    org: OrgId,
    projects: &[ProjectKey],
    id: UserId,
    name: &str,
) -> Result<Vec<Op>> {
    let wanted: Vec<_> = projects.iter().map(|key| keys::project_member(org, key, id)).collect();
    let mut copies = Vec::new();
    for row in wanted::load(app, wanted).await?.into_iter().flatten() {
        copies.extend(copy(row, name)?);
    }
    Ok(copies)
}

fn copy(row: RowOf<ProjectMember>, name: &str) -> Result<Option<Op>> {
    let member: ProjectMember = row.read()?;
    let current = member.display_name == name;
    let member = ProjectMember { display_name: name.to_owned(), ..member };
    Ok((!current).then(|| row.replaced_by(&member)))
}

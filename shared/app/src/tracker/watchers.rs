//! Who watches an item: people who want to hear of what happens to it.
//!
//! Watching changes nothing about the item, so it has no version and leaves no history.

use svc_domain::access::Capability;
use svc_domain::event::Event;
use svc_domain::identity::Member;
use svc_domain::ids::{Actor, ActorId, ItemKey, OrgId, UserId};
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Key, Limits, Op, Query, Range, Row, keys};

use crate::App;
use crate::entry::{Caller, Entry, enter_project};
use crate::error::Result;
use crate::tracker::gone::item_row;
use crate::transaction::Transaction;

/// The people who watch an item, by name.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn list(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<Vec<Actor>> {
    let entry = enter(app, caller, key, Capability::SeeProject).await?;
    of_item(app, &entry, key).await
}

/// As [`list`], by who entered the item's project.
pub(crate) async fn of_item(app: &App, entry: &Entry, key: &ItemKey) -> Result<Vec<Actor>> {
    let range = Range::Prefix(keys::WATCHER_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::item_pk(entry.org_id(), key), range, 1_000)).await?;
    let watchers: Vec<Actor> = rows.iter().map(Row::read).collect::<Result<_, _>>()?;
    let mut watchers = still_here(app, entry.org_id(), key, watchers).await?;
    watchers.sort_by(|a, b| (&a.name, a.id).cmp(&(&b.name, b.id)));
    Ok(watchers)
}

/// Those who still see the project, by the names that they have now: who was taken out of it or of the organization
/// watches nothing in it.
async fn still_here(app: &App, org: OrgId, item: &ItemKey, watchers: Vec<Actor>) -> Result<Vec<Actor>> {
    let mut here = Vec::new();
    for watchers in watchers.chunks(Limits::KEYS / 2) {
        let people = watchers.iter().filter_map(|watcher| person(watcher).ok());
        let rows_of = |user| [keys::member(org, user), keys::project_member(org, &item.project, user)];
        let wanted: Vec<Key> = people.flat_map(rows_of).collect();
        let rows = app.table.get_many(&wanted).await?;
        for (watcher, rows) in watchers.iter().zip(rows.chunks(2)) {
            let Some([Some(member), in_project]) = rows.first_chunk() else { continue };
            let member: Member = member.read()?;
            if member.role.administers() || in_project.is_some() {
                here.push(Actor { id: watcher.id, name: member.display_name });
            }
        }
    }
    Ok(here)
}

/// Makes the caller a watcher, or no longer one. Doing so again changes nothing.
///
/// # Errors
/// [`Refusal::Forbidden`] for agents; [`Refusal::NotFound`].
pub async fn set(app: &App, caller: Caller<'_>, key: &ItemKey, watches: bool) -> Result<()> {
    let entry = enter(app, caller, key, Capability::Comment).await?;
    let user = person(entry.actor())?;
    let row = keys::watcher(entry.org_id(), key, user);
    // Rows from before there was the second one lack it, until the person watches the item again.
    let item = keys::watching(entry.org_id(), user, key);
    let ops = match watches {
        true => [Op::put(row, Condition::None, entry.actor()), Op::put(item, Condition::None, key)],
        false => [Op::delete(row, Condition::None), Op::delete(item, Condition::None)],
    };
    let set = Event::WatchSet(key.clone(), user, watches);
    app.commit(Transaction::of(app, &entry).with(ops).telling(set)).await
}

fn person(actor: &Actor) -> Result<UserId, Refusal> {
    match actor.id {
        ActorId::User(user) => Ok(user),
        ActorId::Agent(_) => Err(Refusal::Forbidden("only people can watch items")),
    }
}

async fn enter(app: &App, caller: Caller<'_>, key: &ItemKey, capability: Capability) -> Result<Entry> {
    let item = |org| vec![keys::item(org, key)];
    let mut entry = enter_project(app, caller, &key.project, capability, item).await?;
    item_row(app, &mut entry, 0, key).await?;
    Ok(entry)
}

//! The watchers of an item: people who want to hear of what happens to it.
//!
//! People who create an item, comment on it or get it assigned begin to watch it by that ([`begin`]), unless they have
//! stopped: that lasts until they watch it again by hand. Watching changes nothing about the item, so it has no version
//! and leaves no history.

use serde::{Deserialize, Serialize};
use svc_domain::access::Capability;
use svc_domain::event::ItemEvent;
use svc_domain::ids::{Actor, ActorId, ItemKey, OrgId, UserId};
use svc_domain::natural::natural_key;
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Limits, Op, Query, Range, Row, keys};

use crate::App;
use crate::entry::{Caller, Entry, enter_project_with};
use crate::error::{Result, is_conflict};
use crate::tracker::gone::item_row;
use crate::transaction::Transaction;
use crate::wanted;

/// That a person watches an item, or that they stopped, as stored. Earlier servers wrote no row for people who stopped, and take
/// this one for a watcher's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Watcher {
    /// The person, with the name that they had then.
    #[serde(flatten)]
    pub(crate) who: Actor,
    /// Whether they watch it no longer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) stopped: bool,
}

/// The people who watch an item, by name.
///
/// # Errors
/// [`Refusal::NotFound`].
pub async fn list(app: &App, caller: Caller<'_>, key: &ItemKey) -> Result<Vec<Actor>> {
    let entry = enter(app, caller, key, Capability::SeeProject).await?;
    of_item(app, &entry, key).await
}

/// As [`list`], for a caller who entered the item's project.
pub(crate) async fn of_item(app: &App, entry: &Entry, key: &ItemKey) -> Result<Vec<Actor>> {
    let mut others = stored(app, entry.org_id(), key).await?;
    let watched = others.len();
    // Of the caller it is known that they see the project, and their name.
    others.retain(|watcher| watcher.id != entry.actor().id);
    let caller = (others.len() < watched).then(|| entry.actor().clone());
    let mut watchers = still_here(app, entry.org_id(), key, others).await?;
    watchers.extend(caller);
    watchers.sort_by_cached_key(|watcher| (natural_key(&watcher.name), watcher.id));
    Ok(watchers)
}

/// The people who watch an item, whether or not they still see it.
pub(crate) async fn people(app: &App, org: OrgId, key: &ItemKey) -> Result<Vec<UserId>> {
    let watchers = stored(app, org, key).await?;
    Ok(watchers.iter().filter_map(|watcher| person(watcher).ok()).collect())
}

async fn stored(app: &App, org: OrgId, key: &ItemKey) -> Result<Vec<Actor>> {
    let range = Range::Prefix(keys::WATCHER_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::item_pk(org, key), range, 1_000)).await?;
    let watchers: Vec<Watcher> = rows.iter().map(Row::read).collect::<Result<_, _>>()?;
    Ok(watchers.into_iter().filter(|watcher| !watcher.stopped).map(|watcher| watcher.who).collect())
}

/// Makes a person a watcher because of what they did to the item, or what was done with it for them; not one who watches
/// it, or who stopped.
pub(crate) async fn begin(app: &App, org: OrgId, key: &ItemKey, who: Actor) -> Result<()> {
    let user = person(&who)?;
    let row = keys::watcher(org, key, user);
    if app.table.get(&row).await?.is_some() {
        return Ok(());
    }
    let ops = [
        Op::check(keys::item(org, key), Condition::Present),
        Op::create(row, &Watcher { who, stopped: false }),
        Op::put(keys::watching(org, user, key), Condition::None, key),
    ];
    let watches = ItemEvent::WatchSet(key.clone(), user, true);
    match app.commit(Transaction::by_itself(app, org).with(ops).telling(watches)).await {
        // The item has gone, or they decided for themselves meanwhile.
        Err(error) if is_conflict(&error) => Ok(()),
        committed => committed,
    }
}

/// Those who still see the project, by the names that they have now: who was taken out of it or of the organization
/// watches nothing in it.
async fn still_here(app: &App, org: OrgId, item: &ItemKey, watchers: Vec<Actor>) -> Result<Vec<Actor>> {
    let mut here = Vec::new();
    for watchers in watchers.chunks(Limits::KEYS / 2) {
        let people = watchers.iter().filter_map(|watcher| person(watcher).ok());
        let rows_of = |user| (keys::member(org, user), keys::project_member(org, &item.project, user));
        let wanted: Vec<_> = people.map(rows_of).collect();
        for (watcher, (member, in_project)) in watchers.iter().zip(wanted::load(app, wanted).await?) {
            let Some(member) = member else { continue };
            let member = member.read()?;
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
    let watcher = Watcher { who: entry.actor().clone(), stopped: !watches };
    let item = if watches { Op::put(item, Condition::None, key) } else { Op::delete(item, Condition::None) };
    let ops = [Op::put(row, Condition::None, &watcher), item];
    let set = ItemEvent::WatchSet(key.clone(), user, watches);
    app.commit(Transaction::of(app, &entry).with(ops).telling(set)).await
}

fn person(actor: &Actor) -> Result<UserId, Refusal> {
    match actor.id {
        ActorId::User(user) => Ok(user),
        ActorId::Agent(_) => Err(Refusal::Forbidden("only people can watch items")),
    }
}

async fn enter(app: &App, caller: Caller<'_>, key: &ItemKey, capability: Capability) -> Result<Entry> {
    let wanted = |org| keys::item(org, key);
    let (entry, row) = enter_project_with(app, caller, &key.project, capability, wanted).await?;
    item_row(app, &entry, row, key).await?;
    Ok(entry)
}

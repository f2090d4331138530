//! Judges items, their rows in the project's feed, their history, watchers and pointers to runs.

use svc_domain::feed::FeedEntry;
use svc_domain::ids::{Actor, ActorId, ItemKey, OrgId, ProjectKey, RunId, UserId};
use svc_domain::item::Item;
use svc_domain::project::HistoryEntry;
use svc_domain::run::Run;
use svc_domain::search::Source;
use svc_storage::keys;

use super::kinds::Kind;
use super::look::{Look, Stop, Subject, Verdict};
use super::{search, sprints};
use crate::tracker::items::NUMBER;

pub(super) const KINDS: &[Kind] = &[
    Kind::new("FEED#<org>#<KEY>", "<changed>#<number>", feed),
    Kind::new("ITEM#<org>#<PRJ-12>", "ITEM", item),
    Kind::new("ITEM#<org>#<PRJ-12>", "HISTORY#<time>#<n>", history),
    Kind::new("ITEM#<org>#<PRJ-12>", "RUN#<run>", run_pointer),
    Kind::new("ITEM#<org>#<PRJ-12>", "WATCH#<user>", watcher),
];

/// The item that a row hangs on; tells when there is none.
pub(super) fn item_of(subject: &Subject<'_>, look: &Look<'_>) -> Result<(OrgId, ItemKey), Stop> {
    let (org, key) = (subject.part("org", look)?, subject.part("PRJ-12", look)?);
    look.demand(&keys::item(org, &key), "such item")?;
    Ok((org, key))
}

fn feed(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let (org, project): (OrgId, ProjectKey) = (subject.part("org", look)?, subject.part("KEY", look)?);
    let entry: FeedEntry = subject.read(look)?;
    let name = keys::item(org, &entry.key(&project));
    if entry.deleted {
        if look.has(&name)? {
            look.broken("it says that the item is deleted, which it is not");
        }
        return Ok(());
    }
    let Some(item) = look.need::<Item>(&name, "such item")? else { return Ok(()) };
    if item.feed_sk != subject.row.key.sk {
        look.broken(format!("the item has another row in the feed, {}", item.feed_sk));
    } else if FeedEntry::of(&item, item.revision) != entry {
        look.broken("it does not say what the item says");
    }
    Ok(())
}

fn item(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let org: OrgId = subject.part("org", look)?;
    let item: Item = subject.read(look)?;
    let project = &item.key.project;
    subject.is_named(look, &keys::item(org, &item.key));
    look.demand(&keys::project(org, project), "such project")?;
    look.demand(&keys::feed(org, project, &item.feed_sk), "row of it in the project's feed")?;
    let last = look.row(&keys::item_number(org, project))?.map_or(0, |row| row.counter(NUMBER));
    if u64::try_from(last).is_ok_and(|last| last < item.key.number) {
        look.broken(format!("the project has counted to {last} only: the next item would be this one"));
    }
    if let Some(parent) = &item.parent {
        look.demand(&keys::item(org, parent), "parent of it")?;
    }
    sprints::remembered(look, org, &item)?;
    worked_on(look, org, &item)?;
    let document = crate::search::of_item(&item);
    search::is_indexed(look, org, &Source::Item(item.key.clone()), Some(&document))
}

/// That an item's run is one of it that has not ended, and that no agent holds it without a run.
fn worked_on(look: &Look<'_>, org: OrgId, item: &Item) -> Verdict {
    let by_agent = item.claim.as_ref().is_some_and(|claim| claim.holder.id.is_agent());
    let Some(run) = item.live_run else {
        if by_agent {
            look.broken("an agent holds it, and it has no run");
        }
        return Ok(());
    };
    if let Some(run) = look.need::<Run>(&keys::run(org, run), "run that it names as its live one")?
        && (run.item != item.key || run.status().is_terminal())
    {
        look.broken("the run that it names as its live one has ended, or is another item's");
    }
    look.demand(&keys::item_run(org, &item.key, run), "pointer to its live run").map(drop)
}

fn history(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    item_of(subject, look)?;
    let entry: HistoryEntry = subject.read(look)?;
    let time: String = subject.part("time", look)?;
    if time != keys::sortable(entry.at.as_millisecond()) {
        look.broken("it is not named by its time");
    }
    Ok(())
}

fn run_pointer(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    let (org, key) = item_of(subject, look)?;
    let run: RunId = subject.part("run", look)?;
    let found: Option<Run> = look.need(&keys::run(org, run), "such run")?;
    if found.is_some_and(|run| run.item != key) {
        look.broken("the run is another item's");
    }
    Ok(())
}

fn watcher(subject: &Subject<'_>, look: &Look<'_>) -> Verdict {
    item_of(subject, look)?;
    let (user, actor): (UserId, Actor) = (subject.part("user", look)?, subject.read(look)?);
    if actor.id != ActorId::User(user) {
        look.broken("it is another person who watches");
    }
    // Who left the organization may come back; whoever is told of something is asked for then.
    look.demand(&keys::user(user), "such account").map(drop)
}

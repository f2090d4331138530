//! The project's feed, which lists and live boards are answered from, and the record that sprints keep of the
//! changes of their work; and who links a pull request.

use jiff::{SignedDuration, Timestamp};
use svc_domain::event::{Event, Occurrence, SavedItem};
use svc_domain::feed::FeedEntry;
use svc_domain::ids::{OrgId, ProjectKey};
use svc_domain::sprint::{Fact, Planned};
use svc_storage::{Condition, Op, keys};

use crate::tracker::link_rows;

/// The rows of feed and sprints that an event makes.
pub(super) fn ops(occurrence: &Occurrence) -> Vec<Op> {
    let Some(org) = occurrence.org else { return Vec::new() };
    match &occurrence.event {
        Event::ItemSaved(saved) => {
            let mut ops = feed_ops(org, saved, occurrence.at);
            ops.extend(facts(org, occurrence, saved));
            ops.extend(link_rows(org, saved));
            ops
        }
        Event::Org(_)
        | Event::Account(_)
        | Event::Instance(_)
        | Event::Project(_)
        | Event::Item(_)
        | Event::Comment(_)
        | Event::Sprint(_)
        | Event::Wiki(_)
        | Event::Factory(_)
        | Event::Runner(_)
        | Event::Run(_) => Vec::new(),
    }
}

/// For how long the mark of a deleted item stays in the feed: longer than anybody looks back.
const MARK_KEPT: SignedDuration = SignedDuration::from_hours(48);

/// Takes the mark of a deleted item, which has this sort key, out of the feed. It replaces nothing that was saved.
pub(crate) fn unmark(org: OrgId, project: &ProjectKey, mark: &str) -> Op {
    Op::delete(keys::feed(org, project, mark), Condition::None)
}

fn feed_ops(org: OrgId, saved: &SavedItem, at: Timestamp) -> Vec<Op> {
    let (item, project) = (&saved.after, &saved.after.key.project);
    let old = saved.before.as_ref().map(|before| &before.feed_sk).filter(|old| **old != item.feed_sk);
    let mut ops: Vec<Op> =
        old.into_iter().map(|old| Op::delete(keys::feed(org, project, old), Condition::None)).collect();
    let entry = FeedEntry { deleted: saved.gone, ..FeedEntry::of(item, item.revision) };
    let op = Op::put(keys::feed(org, project, &item.feed_sk), Condition::None, &entry);
    ops.push(if saved.gone { op.expiring((at + MARK_KEPT).as_second()) } else { op });
    ops
}

/// What the sprints that the item was in and is in remember of the change.
fn facts(org: OrgId, occurrence: &Occurrence, saved: &SavedItem) -> impl Iterator<Item = Op> {
    let (at, revision) = (occurrence.at, saved.after.revision);
    let is = Planned::of(&saved.after);
    let was = saved.before.as_ref().map_or_else(|| is.clone(), Planned::of);
    let old = saved.before.as_ref().and_then(|before| before.sprint.clone());
    let new = saved.after.sprint.clone().filter(|_| !saved.gone);
    let left = old.clone().filter(|_| old != new).map(|sprint| (sprint, false, was.clone()));
    let changed = old != new || was != is;
    let entered = new.filter(|_| changed).map(|sprint| (sprint, true, is));
    [left, entered].into_iter().flatten().map(move |(sprint, planned, item)| {
        let key = keys::fact(org, &sprint, at.as_millisecond(), item.number, revision);
        Op::put(key, Condition::None, &Fact { at, revision, planned, item })
    })
}

//! Whoever creates an item watches it from the beginning. Who comments on it or gets it assigned begins to later, in a
//! worker, because they may have stopped ([`crate::tracker::watchers`]).

use svc_domain::event::{Event, Occurrence};
use svc_domain::ids::ActorId;
use svc_storage::{Condition, Op, keys};

use crate::tracker::watchers::Watcher;

/// The rows that make the creator of an item its watcher.
pub(super) fn ops(occurrence: &Occurrence) -> Vec<Op> {
    let Event::ItemCreated(item) = &occurrence.event else { return Vec::new() };
    let (Some(org), Some(who)) = (occurrence.org, occurrence.by.clone()) else { return Vec::new() };
    let ActorId::User(user) = who.id else { return Vec::new() };
    vec![
        Op::put(keys::watcher(org, item, user), Condition::None, &Watcher { who, stopped: false }),
        Op::put(keys::watching(org, user, item), Condition::None, item),
    ]
}

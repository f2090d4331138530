//! What follows from domain events, one file per consumer: item history, the search index, the feed behind lists
//! and live boards, the items of a pull request, the journal that live pages follow, the audit log, messages to
//! workers, what people and webhooks are told of, wake-ups in this process, and what a request with an idempotency key made.
//!
//! Everything but the wake-ups is written in the commit that carries the events ([`crate::App::commit`]). Each
//! consumer decides by a match over [`svc_domain::event::Event`] that names every family, and inside a family of
//! which it needs more than an event or two, every event. A new family does not compile until each consumer has decided
//! about it; a new event, until the consumers of its family have.

mod audit;
mod feed;
mod history;
mod journal;
mod made;
mod messages;
mod notify;
mod search;
mod wake;
mod webhooks;

pub(crate) use feed::unmark;
pub use made::{Made, What};
pub(crate) use wake::wake;

use std::collections::HashSet;

use svc_domain::event::Occurrence;
use svc_storage::Op;
use uuid::Uuid;

use crate::App;
use crate::outbox::Outgoing;

/// What follows from the events of a transaction.
pub(crate) struct Derived {
    /// Rows to write in the same commit.
    pub(crate) ops: Vec<Op>,
    /// Messages whose outbox rows are among the operations, to be sent after the commit.
    pub(crate) messages: Vec<Outgoing>,
}

/// What follows from these events of the commit of this id, in an organization that may have webhooks.
pub(crate) fn derive(app: &App, occurrences: &[Occurrence], has_webhooks: bool, commit: Uuid) -> Derived {
    let mut messages: Vec<Outgoing> = occurrences.iter().flat_map(|told| messages::of(app, told)).collect();
    messages.extend(notify::message(app, occurrences, has_webhooks, commit));
    let mut ops: Vec<Op> = occurrences.iter().flat_map(feed::ops).collect();
    ops.extend(occurrences.iter().filter_map(search::op));
    ops.extend(occurrences.iter().flat_map(notify::watches));
    ops.extend(history::ops(occurrences));
    ops.extend(audit::ops(app, occurrences));
    ops.extend(journal::ops(app, occurrences, commit));
    ops.extend(messages.iter().map(Outgoing::op));
    // Two events may ask for the same row, such as a text to be indexed; a commit names each row once.
    let mut named = HashSet::new();
    ops.retain(|op| named.insert(op.key.clone()));
    Derived { ops, messages }
}

/// What a request made, by the first of its events that says so.
pub(crate) fn made(occurrences: &[Occurrence]) -> Option<Made> {
    occurrences.iter().find_map(|told| made::of(&told.event))
}

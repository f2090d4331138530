//! A change of an item: its row is rewritten in the version that was read, together with everything that follows
//! from the change. Nothing else writes an item.

use std::sync::Arc;

use jiff::Timestamp;
use svc_domain::event::{Event, SavedItem};
use svc_domain::ids::{Actor, OrgId};
use svc_domain::item::Item;
use svc_domain::pull_request::PullRequest;
use svc_storage::{Condition, Op, keys};

use crate::feed_clock::{FeedClock, Place};

/// A change of one item on its way to a transaction ([`crate::Transaction::save`]).
pub struct ItemChange {
    org: OrgId,
    /// The item as it was read, and the version of its row; `None` for a new item.
    read: Option<(Item, u64)>,
    /// Whether people would call it a change.
    counts: bool,
    /// Whether it goes, or comes back.
    fate: Fate,
    /// The item as it will be. Change it freely; `revision`, `updated_at` and the feed row follow by
    /// themselves.
    pub item: Item,
    /// What is told of it, and by whom; `None` for who signs the transaction.
    events: Vec<(Option<Actor>, Event)>,
}

/// What becomes of an item that changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Stays,
    Goes,
    /// Its row is made again, in this version.
    ComesBack(u64),
}

/// A change as it is written.
pub(crate) struct Saved {
    /// Writes the item's row. A conflict of it means that somebody else changed the item.
    pub(crate) op: Op,
    pub(crate) item: SavedItem,
    pub(crate) place: Place,
    pub(crate) events: Vec<(Option<Actor>, Event)>,
}

impl ItemChange {
    /// The creation of an item.
    pub fn create(org: OrgId, item: Item) -> Self {
        Self { org, read: None, counts: true, fate: Fate::Stays, item, events: Vec::new() }
    }

    /// The change of an item whose row was read in this version. What is changed of it is changed in
    /// [`ItemChange::item`], and not before: what follows is derived from the difference.
    pub fn update(org: OrgId, item: Item, row_version: u64) -> Self {
        let read = Some((item.clone(), row_version));
        Self { org, read, counts: true, fate: Fate::Stays, item, events: Vec::new() }
    }

    /// The return of an item that was deleted, in a revision after that of its deletion. Its row goes on at this
    /// version, so that nobody who read it before the deletion writes over it.
    pub(crate) fn restore(org: OrgId, item: Item, row_version: u64) -> Self {
        Self { fate: Fate::ComesBack(row_version), ..Self::create(org, item) }
    }

    /// The arrival of an item from another project, where its row had this version.
    pub(crate) fn arrive(org: OrgId, item: Item, row_version: u64) -> Self {
        Self::restore(org, item, row_version + 1)
    }

    /// The same, and the item goes: its row is deleted.
    #[must_use]
    pub(crate) fn into_deletion(self) -> Self {
        Self { fate: Fate::Goes, ..self }
    }

    /// The organization.
    pub const fn org(&self) -> OrgId {
        self.org
    }

    /// A sign of life of the claim: written like a change, so that every list learns of it, but the item's
    /// revision and the time of its last change stay, so that nobody's edit becomes stale by it.
    #[must_use]
    pub fn as_heartbeat(self) -> Self {
        Self { counts: false, ..self }
    }

    /// The same, brought in from elsewhere: nothing is told of it so far, and the times stay as they are in the item.
    #[must_use]
    pub(crate) fn brought_in(self) -> Self {
        Self { counts: false, events: Vec::new(), ..self }
    }

    /// Tells what happens to the item.
    pub fn tell(&mut self, event: impl Into<Event>) {
        self.events.push((None, event.into()));
    }

    /// Tells what somebody else than who signs the transaction does to the item.
    pub fn tell_as(&mut self, by: Actor, event: impl Into<Event>) {
        self.events.push((Some(by), event.into()));
    }

    /// The change as it is written at this time, in the next place of its project's feed.
    pub(crate) fn saved(mut self, now: Timestamp, places: &Arc<FeedClock>) -> Saved {
        let key = &self.item.key;
        if self.counts {
            let is_new = self.read.is_none() && !matches!(self.fate, Fate::ComesBack(_));
            self.item.revision = if is_new { 1 } else { self.item.revision + 1 };
            self.item.updated_at = now.max(self.item.created_at);
        }
        let (links, known) = (&self.item.links, std::mem::take(&mut self.item.pull_requests));
        let kept =
            |known: PullRequest| if links.contains(&known.url) { Some(known) } else { known.unlinked() };
        self.item.pull_requests = known.into_iter().filter_map(kept).collect();
        let place = places.open(now);
        self.item.feed_sk = keys::feed_sk(place.millis(), key.number);
        let version = self.read.as_ref().map(|(_, version)| *version);
        let condition = version.map_or(Condition::Absent, Condition::Version);
        let (name, gone) = (keys::item(self.org, key), self.fate == Fate::Goes);
        let op = match self.fate {
            Fate::Goes => Op::delete(name, condition),
            Fate::Stays => Op::put(name, condition, &self.item),
            Fate::ComesBack(version) => Op::create_at(name, version, &self.item),
        };
        let before = self.read.map(|(before, _)| before);
        let item = SavedItem { before, after: self.item, gone };
        Saved { op, item, place, events: self.events }
    }
}

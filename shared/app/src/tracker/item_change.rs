//! The rows that a changed item writes: the item, its row in the project feed, its history, what its sprint
//! remembers for the burndown, and that its text is to be indexed, always together.
//!
//! Every use case that changes an item goes through here, so that no list ever shows what the item is not.

use jiff::Timestamp;
use svc_domain::feed::FeedEntry;
use svc_domain::ids::OrgId;
use svc_domain::item::Item;
use svc_domain::project::HistoryEntry;
use svc_domain::search::Source;
use svc_domain::sprint::{Fact, Planned};
use svc_storage::{Condition, Op, keys};

use crate::App;
use crate::search;

/// A change of one item on its way to a commit.
pub struct ItemChange {
    org: OrgId,
    /// Version that was read; `None` for a new item.
    read_version: Option<u64>,
    old_feed_sk: Option<String>,
    /// Its sprint, and what counts of it there, as they were read.
    was_planned: (Option<String>, Planned),
    /// Whether people would call it a change.
    counts: bool,
    /// The item as it shall be. Change it freely; `revision`, `updated_at` and the feed row follow by
    /// themselves.
    pub item: Item,
    history: Vec<HistoryEntry>,
    /// Title and description as they were; `None` for a new item.
    old_text: Option<(String, String)>,
}

impl ItemChange {
    /// The creation of an item.
    pub fn create(org: OrgId, item: Item) -> Self {
        let was_planned = (None, Planned::of(&item));
        Self {
            org,
            read_version: None,
            old_feed_sk: None,
            was_planned,
            counts: true,
            item,
            history: Vec::new(),
            old_text: None,
        }
    }

    /// The change of an item whose row was read in this version. What is changed of it is changed in
    /// [`ItemChange::item`], and not before: sprint and index are told of the difference.
    pub fn update(org: OrgId, item: Item, row_version: u64) -> Self {
        Self {
            org,
            read_version: Some(row_version),
            old_feed_sk: Some(item.feed_sk.clone()),
            was_planned: (item.sprint.clone(), Planned::of(&item)),
            counts: true,
            history: Vec::new(),
            old_text: Some((item.title.clone(), item.body.clone())),
            item,
        }
    }

    /// A sign of life of the claim: written like a change, so that every list learns of it, but the item's
    /// revision and the time of its last change stay, so that nobody's edit becomes stale by it.
    #[must_use]
    pub fn as_heartbeat(self) -> Self {
        Self { counts: false, ..self }
    }

    /// Notes something for the item's history.
    pub fn record(&mut self, entry: HistoryEntry) {
        self.history.push(entry);
    }

    fn changes_text(&self) -> bool {
        self.old_text
            .as_ref()
            .is_none_or(|(title, body)| *title != self.item.title || *body != self.item.body)
    }

    /// Version that the item's row has after the commit.
    pub fn next_version(&self) -> u64 {
        self.read_version.map_or(1, |version| version + 1)
    }

    /// The operations to commit, and the item as they write it. The first operation is the item's own: a
    /// conflict of operation 0 means that somebody else changed the item.
    pub fn into_ops(mut self, app: &App) -> (Vec<Op>, Item) {
        let now = app.now();
        let key = self.item.key.clone();
        if self.counts {
            self.item.revision = self.read_version.map_or(1, |_| self.item.revision + 1);
            self.item.updated_at = now.max(self.item.created_at);
        }
        self.item.feed_sk = keys::feed_sk(now.as_millisecond(), key.number);
        let condition = self.read_version.map_or(Condition::Absent, Condition::Version);
        let mut ops = vec![Op::put(keys::item(self.org, &key), condition, &self.item)];
        if let Some(old) = self.old_feed_sk.as_ref().filter(|old| **old != self.item.feed_sk) {
            ops.push(Op::delete(keys::feed(self.org, &key.project, old), Condition::None));
        }
        let entry = FeedEntry::of(&self.item, self.item.revision);
        ops.push(Op::put(keys::feed(self.org, &key.project, &self.item.feed_sk), Condition::None, &entry));
        ops.extend(self.facts(now));
        if self.changes_text() {
            ops.push(search::changed(self.org, &Source::Item(key.clone())));
        }
        let write = self.next_version();
        for (place, entry) in self.history.iter().enumerate() {
            let at = entry.at.as_millisecond();
            let id = format!("{write:012}.{place:03}");
            ops.push(Op::create(keys::history(self.org, &key, at, id), entry));
        }
        (ops, self.item)
    }

    /// What the sprints that the item was in and is in shall remember of the change.
    fn facts(&self, now: Timestamp) -> impl Iterator<Item = Op> {
        let (old, was) = &self.was_planned;
        let (new, is) = (&self.item.sprint, Planned::of(&self.item));
        let left = old.clone().filter(|_| old != new).map(|sprint| (sprint, false, was.clone()));
        let changed = old != new || *was != is;
        let entered = new.clone().filter(|_| changed).map(|sprint| (sprint, true, is));
        let (org, revision) = (self.org, self.item.revision);
        [left, entered].into_iter().flatten().map(move |(sprint, planned, item)| {
            let key = keys::fact(org, &sprint, now.as_millisecond(), item.number, revision);
            Op::put(key, Condition::None, &Fact { at: now, revision, planned, item })
        })
    }
}

//! The rows that a changed item writes: the item, its row in the project feed, and its history, always
//! together.
//!
//! Every use case that changes an item goes through here, so that no list ever shows what the item is not.

use svc_domain::feed::FeedEntry;
use svc_domain::ids::OrgId;
use svc_domain::item::Item;
use svc_domain::project::HistoryEntry;
use svc_storage::{Condition, Op, keys};

use crate::App;

/// A change of one item on its way to a commit.
pub struct ItemChange {
    org: OrgId,
    /// Version that was read; `None` for a new item.
    read_version: Option<u64>,
    old_feed_sk: Option<String>,
    /// The item as it shall be. Change it freely; `updated_at` and the feed row follow by themselves.
    pub item: Item,
    history: Vec<HistoryEntry>,
}

impl ItemChange {
    /// The creation of an item.
    pub fn create(org: OrgId, item: Item) -> Self {
        Self { org, read_version: None, old_feed_sk: None, item, history: Vec::new() }
    }

    /// The change of an item that was read in this version.
    pub fn update(org: OrgId, item: Item, version: u64) -> Self {
        let old_feed_sk = Some(item.feed_sk.clone());
        Self { org, read_version: Some(version), old_feed_sk, item, history: Vec::new() }
    }

    /// Notes something for the item's history.
    pub fn record(&mut self, entry: HistoryEntry) {
        self.history.push(entry);
    }

    /// Version that the item has after the commit.
    pub fn next_version(&self) -> u64 {
        self.read_version.map_or(1, |version| version + 1)
    }

    /// The operations to commit, and the item as they write it. The first operation is the item's own: a
    /// conflict of operation 0 means that somebody else changed the item.
    pub fn into_ops(mut self, app: &App) -> (Vec<Op>, Item) {
        let now = app.now();
        let version = self.next_version();
        let key = self.item.key.clone();
        self.item.updated_at = now.max(self.item.created_at);
        self.item.feed_sk = keys::feed_sk(self.item.updated_at.as_millisecond(), key.number);
        let condition = self.read_version.map_or(Condition::Absent, Condition::Version);
        let mut ops = vec![Op::put(keys::item(self.org, &key), condition, &self.item)];
        if let Some(old) = self.old_feed_sk.filter(|old| *old != self.item.feed_sk) {
            ops.push(Op::delete(keys::feed(self.org, &key.project, &old), Condition::None));
        }
        let entry = FeedEntry::of(&self.item, version);
        ops.push(Op::put(keys::feed(self.org, &key.project, &self.item.feed_sk), Condition::None, &entry));
        for entry in &self.history {
            let at = entry.at.as_millisecond();
            ops.push(Op::create(keys::history(self.org, &key, at, app.uuid()), entry));
        }
        (ops, self.item)
    }
}

//! Makes a feed of many rows at once: what applying them one after the other makes, in a fraction of the time.
//!
//! Slots are given by rising number, so that every set is written from its front to its back, and where an order does
//! not tell two items apart, their slots do. What a large project's words need takes about as long as all the rest:
//! each has a thread.

use super::entry::FeedEntry;
use super::facets::Facets;
use super::index::FeedIndex;
use super::orders::{Orders, by_title};
use super::text::TextIndex;
use crate::ids::ProjectKey;

/// Items from which on a second thread is worth its while.
const MANY: usize = 10_000;

impl FeedIndex {
    /// The feed of a project from rows in any order, of which several may tell of one item: what applying
    /// them one after the other makes.
    pub fn of(project: ProjectKey, rows: impl IntoIterator<Item = FeedEntry>) -> Self {
        let mut index = Self::new(project);
        let mut live: Vec<Box<FeedEntry>> = Vec::new();
        for row in newest(rows) {
            if row.deleted {
                index.tombstones.insert(row.number, row.version);
            } else {
                live.push(row);
            }
        }
        // There are never four billion.
        let slots = || (0_u32..).zip(&live).map(|(slot, entry)| (slot, entry.as_ref()));
        let words = || {
            let text = TextIndex::of(slots(), &index.project);
            let titles = by_title(live.len(), &text);
            (text, titles)
        };
        let values = || (Facets::of(slots()), Orders::of(slots()));
        let ((text, titles), (facets, mut orders)) = both(live.len() >= MANY, words, values);
        orders.put_titles(&titles);
        index.slots = slots().map(|(slot, entry)| (entry.number, slot)).collect();
        index.numbers = index.slots.keys().filter_map(|number| u32::try_from(*number).ok()).collect();
        (index.text, index.facets, index.orders) = (text, facets, orders);
        index.entries = live.into_iter().map(Some).collect();
        index
    }
}

/// What both make, at the same time if it is much.
fn both<A: Send, B>(much: bool, one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B) -> (A, B) {
    if !much {
        return (one(), other());
    }
    std::thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        let one = one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (one, other)
    })
}

/// The newest row of each item, by number.
#[expect(clippy::vec_box, reason = "they are kept so; sorting moves pointers instead of 400 bytes each")]
fn newest(rows: impl IntoIterator<Item = FeedEntry>) -> Vec<Box<FeedEntry>> {
    let mut rows: Vec<Box<FeedEntry>> =
        rows.into_iter().map(|entry| Box::new(entry.without_slack())).collect();
    // Rows of one item stay in the order in which they came.
    rows.sort_by_key(|entry| entry.number);
    let mut newest: Vec<Box<FeedEntry>> = Vec::with_capacity(rows.len());
    for row in rows {
        match newest.last_mut().filter(|known| known.number == row.number) {
            Some(known) if known.is_superseded_by(&row) => *known = row,
            Some(_) => {}
            None => newest.push(row),
        }
    }
    newest
}

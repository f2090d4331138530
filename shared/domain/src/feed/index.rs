//! The feed of one project in memory: follows changes and answers lists.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use roaring::RoaringBitmap;

use super::cache::{Cache, Key, slice};
use super::entry::FeedEntry;
use super::evaluate::Asked;
use super::facets::{Change, Facets};
use super::orders::Orders;
use super::request::{ListRequest, ListResult, Sort, SortKey};
use super::text::{TextIndex, Words, fold};
use crate::ids::{ItemKey, MilestoneId, ProjectKey};
use crate::label::composed;

/// The items of one project, ready to be asked. Cheap to ask from many threads, changed by one.
#[derive(Debug)]
pub struct FeedIndex {
    pub(super) project: ProjectKey,
    /// By slot.
    pub(super) entries: Vec<Option<Box<FeedEntry>>>,
    /// Slots not in use, below the length of `entries`.
    free: Vec<u32>,
    /// Slot by number.
    pub(super) slots: BTreeMap<u64, u32>,
    /// Numbers of the items that are there.
    pub(super) numbers: RoaringBitmap,
    /// Version at which an item went, by number.
    pub(super) tombstones: HashMap<u64, u64>,
    pub(super) facets: Facets,
    pub(super) text: TextIndex,
    pub(super) orders: Orders,
    generation: u64,
    cache: Mutex<Cache>,
}

impl FeedIndex {
    /// The feed of a project, with no items yet.
    pub fn new(project: ProjectKey) -> Self {
        Self {
            project,
            entries: Vec::new(),
            free: Vec::new(),
            slots: BTreeMap::new(),
            numbers: RoaringBitmap::new(),
            tombstones: HashMap::new(),
            facets: Facets::default(),
            text: TextIndex::default(),
            orders: Orders::default(),
            generation: 0,
            cache: Mutex::default(),
        }
    }

    /// The same in place of an earlier feed of the project: it counts on from that one's changes.
    #[must_use]
    pub const fn after(mut self, earlier: &Self) -> Self {
        self.generation += earlier.generation + 1;
        self
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Counts changes: while it stays, every answer stays.
    pub const fn generation(&self) -> u64 {
        self.generation
    }

    /// The item of a number.
    pub fn get(&self, number: u64) -> Option<&FeedEntry> {
        self.slots.get(&number).and_then(|slot| self.entry(*slot))
    }

    /// Numbers of all items; of those below four billion, which all are.
    pub const fn numbers(&self) -> &RoaringBitmap {
        &self.numbers
    }

    /// Every item from a number on, by number.
    pub fn from(&self, number: u64) -> impl Iterator<Item = &FeedEntry> {
        self.slots.range(number..).filter_map(|(_, slot)| self.entry(*slot))
    }

    /// The items that are gone: number, and version at which it went.
    pub fn gone(&self) -> impl Iterator<Item = (u64, u64)> {
        self.tombstones.iter().map(|(number, version)| (*number, *version))
    }

    /// Every item, by number.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &FeedEntry> {
        self.slots.values().filter_map(|slot| self.entry(*slot))
    }

    /// The items around the place behind `after`, or the first place, but the moved one: at most `reach` before it and
    /// as many behind it, the nearest first.
    pub fn ranked_around(
        &self,
        after: Option<u64>,
        moved: u64,
        reach: usize,
    ) -> (Vec<&FeedEntry>, Vec<&FeedEntry>) {
        let slot = |number: u64| self.slots.get(&number).copied();
        let (after, moved) = (after.and_then(slot), slot(moved));
        let others = |slots: &mut dyn Iterator<Item = u32>| -> Vec<&FeedEntry> {
            slots
                .filter(|other| Some(*other) != moved)
                .take(reach)
                .filter_map(|slot| self.entry(slot))
                .collect()
        };
        let before = after.map(|after| others(&mut self.orders.ranked_up_to(after, &self.text)));
        (before.unwrap_or_default(), others(&mut self.orders.ranked_after(after, &self.text)))
    }

    /// The items of a sprint, in the order given by hand.
    pub fn of_sprint(&self, sprint: &str) -> Vec<&FeedEntry> {
        let hits = self.facets.sprint.get(sprint).cloned().unwrap_or_default();
        let all = usize::try_from(hits.len()).unwrap_or(usize::MAX);
        self.entries_of(self.orders.first(&hits, SortKey::Rank, false, all, &self.text))
    }

    /// The items of a milestone, in no order that means anything.
    pub fn of_milestone(&self, milestone: MilestoneId) -> impl Iterator<Item = &FeedEntry> {
        self.facets.milestone.get(&milestone).into_iter().flatten().filter_map(|slot| self.entry(slot))
    }

    /// The items that belong to another, in the order given by hand.
    pub fn children(&self, parent: &ItemKey) -> Vec<&FeedEntry> {
        let hits = self.facets.parent.get(parent).cloned().unwrap_or_default();
        let all = usize::try_from(hits.len()).unwrap_or(usize::MAX);
        self.entries_of(self.orders.first(&hits, SortKey::Rank, false, all, &self.text))
    }

    /// How many items belong to the item of a number.
    pub fn child_count(&self, number: u64) -> u64 {
        let key = ItemKey { project: self.project.clone(), number };
        self.facets.parent.get(&key).map_or(0, RoaringBitmap::len)
    }

    /// Every label that items carry, as one of them writes it, with how many carry it. Each different label is folded
    /// once, however many an item has.
    pub fn label_counts(&self) -> Vec<(String, u64)> {
        let mut seen: HashSet<&str> = HashSet::new();
        let mut written: HashMap<String, &str> = HashMap::new();
        let mut counts = Vec::new();
        for (folded, slots) in self.facets.label.range(..) {
            if !written.contains_key(folded)
                && let Some(entry) = slots.min().and_then(|slot| self.entry(slot))
            {
                for label in entry.labels.iter().filter(|label| seen.insert(label)) {
                    written.entry(fold(label)).or_insert(label);
                }
            }
            let name = written.get(folded).map_or_else(|| folded.clone(), |name| (*name).to_owned());
            counts.push((name, slots.len()));
        }
        counts
    }

    /// How many different labels items carry.
    pub fn different_labels(&self) -> usize {
        self.facets.label.different()
    }

    /// Whether an item carries a label, whatever its case.
    pub fn carries_label(&self, label: &str) -> bool {
        self.facets.label.get(&fold(&composed(label))).is_some()
    }

    /// How many items are in each state, as one of them writes it.
    pub fn state_counts(&self) -> Vec<(String, u64)> {
        let of = |(folded, slots): (&String, &RoaringBitmap)| {
            let entry = slots.min().and_then(|slot| self.entry(slot));
            (entry.map_or_else(|| folded.clone(), |entry| entry.state.clone()), slots.len())
        };
        self.facets.state.range(..).map(of).collect()
    }

    /// Takes in a row of the feed, and says whether it told anything new.
    ///
    /// Rows may come more than once and in any order: one that tells of an older version than is known (of
    /// an item or of its end), or of the same with an older heartbeat, changes nothing.
    pub fn apply(&mut self, entry: FeedEntry) -> bool {
        let outdated = self.get(entry.number).is_some_and(|known| !known.is_superseded_by(&entry))
            || self.tombstones.get(&entry.number).is_some_and(|version| *version >= entry.version);
        if outdated {
            return false;
        }
        let (number, version) = (entry.number, entry.version);
        if entry.deleted {
            self.tombstones.insert(number, version);
            if let Some(slot) = self.slots.remove(&number) {
                self.replace(slot, None);
                self.free.push(slot);
            }
            if let Ok(number) = u32::try_from(number) {
                self.numbers.remove(number);
            }
        } else {
            self.tombstones.remove(&number);
            if let Some(slot) = self.slot_for(number) {
                self.replace(slot, Some(entry));
            }
        }
        self.generation += 1;
        true
    }

    /// Takes in that items are gone, where nothing later is known.
    pub(super) fn bury(&mut self, gone: impl IntoIterator<Item = (u64, u64)>) {
        self.tombstones.extend(gone.into_iter().filter(|(number, _)| !self.slots.contains_key(number)));
    }

    /// One page of the items that a filter and words match.
    pub fn query(&self, request: &ListRequest<'_>) -> ListResult<'_> {
        let page = page_range(request);
        let key = Key::of(request, |limit| self.facets.stale_mark(limit));
        let known = self.cache().page(&key, page.clone());
        let (total, slots) = known.unwrap_or_else(|| {
            let known = self.cache().take(&key);
            let hits = match known {
                Some((hits, changed)) => self.with_changes(hits, &changed, request),
                None => self.hits(request),
            };
            // Who turns a page will turn another.
            let want = if page.start == 0 { page.end } else { page.end.saturating_mul(2) };
            let ordered = self.ordered(&hits, request.sort, want);
            let (total, slots) = (hits.len(), slice(&ordered, page).to_vec());
            self.cache().put(key, hits, ordered);
            (total, slots)
        });
        ListResult { total, entries: self.entries_of(slots) }
    }

    pub(super) fn entries_of(&self, slots: impl IntoIterator<Item = u32>) -> Vec<&FeedEntry> {
        slots.into_iter().filter_map(|slot| self.entry(slot)).collect()
    }

    pub(super) fn entry(&self, slot: u32) -> Option<&FeedEntry> {
        self.entries.get(slot as usize).and_then(Option::as_deref)
    }

    /// A panic elsewhere while the lock was held leaves a cache that is merely incomplete.
    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Slots of the items that a filter and words match.
    pub(super) fn hits(&self, request: &ListRequest<'_>) -> RoaringBitmap {
        let hits = self.asked(request).hits(request.filter).of(&self.facets.all);
        match request.words() {
            Some(words) => {
                let described = &self.described(request) & &*hits;
                self.text.search(&words, hits.into_owned()) | described
            }
            None => hits.into_owned(),
        }
    }

    /// The hits from before some slots changed, as they are now.
    fn with_changes(
        &self,
        mut hits: RoaringBitmap,
        changed: &[u32],
        request: &ListRequest<'_>,
    ) -> RoaringBitmap {
        if changed.is_empty() {
            return hits;
        }
        let matching = self.asked(request).hits(request.filter);
        let (words, described) = (request.words(), self.described(request));
        for slot in changed {
            let fits = |words: &Words| words.occur_in(self.text.text(*slot)) || described.contains(*slot);
            let is_hit =
                self.facets.all.contains(*slot) && matching.contain(*slot) && words.as_ref().is_none_or(fits);
            if is_hit {
                hits.insert(*slot);
            } else {
                hits.remove(*slot);
            }
        }
        hits
    }

    fn asked<'a>(&'a self, request: &ListRequest<'a>) -> Asked<'a> {
        Asked {
            facets: &self.facets,
            entries: &self.entries,
            text: &self.text,
            slots: &self.slots,
            project: &self.project,
            context: request.context,
        }
    }

    /// Slots of the items that answer the words by their descriptions.
    fn described(&self, request: &ListRequest<'_>) -> RoaringBitmap {
        request.described.iter().filter_map(|number| self.slots.get(number)).copied().collect()
    }

    /// The first `want` of the hits.
    fn ordered(&self, hits: &RoaringBitmap, sort: Sort, want: usize) -> Vec<u32> {
        let first =
            |hits: &RoaringBitmap, key, want| self.orders.first(hits, key, sort.descending, want, &self.text);
        let valued = match sort.key {
            SortKey::Estimate => self.facets.estimate.present(),
            SortKey::Due => self.facets.due.present(),
            SortKey::Resolved => self.facets.resolved.present(),
            _ => return first(hits, sort.key, want),
        };
        let mut slots = first(&(hits & valued), sort.key, want);
        if slots.len() < want {
            slots.extend(first(&(hits - valued), SortKey::Key, want - slots.len()));
        }
        slots
    }

    /// The slot of a number, a new one if it has none yet; `None` when slots have run out, at four billion.
    fn slot_for(&mut self, number: u64) -> Option<u32> {
        if let Some(slot) = self.slots.get(&number) {
            return Some(*slot);
        }
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => u32::try_from(self.entries.len()).ok()?,
        };
        if self.entries.len() <= slot as usize {
            self.entries.push(None);
        }
        self.slots.insert(number, slot);
        if let Ok(number) = u32::try_from(number) {
            self.numbers.insert(number);
        }
        Some(slot)
    }

    /// Puts an entry in place of what the slot had, everywhere.
    fn replace(&mut self, slot: u32, new: Option<FeedEntry>) {
        self.cache.get_mut().unwrap_or_else(PoisonError::into_inner).note(slot);
        let new = new.map(|entry| Box::new(entry.without_slack()));
        let old = std::mem::replace(&mut self.entries[slot as usize], new);
        let change = Change { old: old.as_deref(), new: self.entries[slot as usize].as_deref() };
        let moved = Orders::moved(change);
        if change.old.is_some() {
            self.orders.take_out(slot, &moved, &self.text);
        }
        self.text.change(slot, change.new, &self.project);
        self.facets.change(slot, change);
        if let Some(entry) = change.new {
            self.orders.put_in(slot, entry, &moved, &self.text);
        }
    }
}

/// The places of a page in the whole list.
fn page_range(request: &ListRequest<'_>) -> Range<usize> {
    let size = request.page_size as usize;
    let start = (request.page.saturating_sub(1) as usize).saturating_mul(size);
    start..start.saturating_add(size)
}

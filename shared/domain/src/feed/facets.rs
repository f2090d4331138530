//! For every value of every field that a filter can ask about, the slots of the items that have it.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::ops::RangeBounds;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;
use roaring::RoaringBitmap;

use super::entry::FeedEntry;
use super::text::fold;
use crate::filter::Number;
use crate::ids::{ActorId, ItemKey, MilestoneId};
use crate::item::{ItemType, Priority};
use crate::search::terms::fold_text;

/// The slots by the values of one field.
#[derive(Debug)]
pub(super) struct Facet<K> {
    /// Never holds an empty set.
    sets: BTreeMap<K, RoaringBitmap>,
    present: RoaringBitmap,
}

impl<K> Default for Facet<K> {
    fn default() -> Self {
        Self { sets: BTreeMap::new(), present: RoaringBitmap::new() }
    }
}

impl<K: Ord> Facet<K> {
    /// Slots that have any value.
    pub(super) const fn present(&self) -> &RoaringBitmap {
        &self.present
    }

    /// Slots that have this value, if there are any.
    pub(super) fn get<Q: Ord + ?Sized>(&self, value: &Q) -> Option<&RoaringBitmap>
    where
        K: Borrow<Q>,
    {
        self.sets.get(value)
    }

    /// How many values there are.
    pub(super) fn different(&self) -> usize {
        self.sets.len()
    }

    /// Values within bounds, with their slots.
    pub(super) fn range(&self, bounds: impl RangeBounds<K>) -> impl Iterator<Item = (&K, &RoaringBitmap)> {
        self.sets.range(bounds)
    }

    /// Moves a slot from the values of the old entry to those of the new one.
    fn change<I: IntoIterator<Item = K>>(
        &mut self,
        slot: u32,
        change: Change<'_>,
        values: impl Fn(&FeedEntry) -> I,
    ) {
        let old: Vec<K> = change.old.into_iter().flat_map(&values).collect();
        let new: Vec<K> = change.new.into_iter().flat_map(&values).collect();
        if old == new {
            return;
        }
        if new.is_empty() {
            self.present.remove(slot);
        } else {
            self.present.insert(slot);
        }
        for value in &old {
            if let Some(set) = self.sets.get_mut(value) {
                set.remove(slot);
                if set.is_empty() {
                    self.sets.remove(value);
                }
            }
        }
        for value in new {
            self.sets.entry(value).or_default().insert(slot);
        }
    }
}

/// The values of one field, collected of entries whose slots rise.
struct Collected<V> {
    found: Vec<(V, Vec<u32>)>,
    /// Where each value is in that.
    places: HashMap<V, usize>,
    last: usize,
    present: Vec<u32>,
}

impl<V: Hash + Eq + Copy> Collected<V> {
    fn new() -> Self {
        Self { found: Vec::new(), places: HashMap::new(), last: 0, present: Vec::new() }
    }

    fn add(&mut self, slot: u32, values: impl IntoIterator<Item = V>) {
        for value in values {
            // One like that before is common, and needs no looking up.
            if self.found.get(self.last).is_none_or(|(known, _)| *known != value) {
                self.last = *self.places.entry(value).or_insert_with(|| {
                    self.found.push((value, Vec::new()));
                    self.found.len() - 1
                });
            }
            let slots = &mut self.found[self.last].1;
            if slots.last() != Some(&slot) {
                slots.push(slot);
            }
            if self.present.last() != Some(&slot) {
                self.present.push(slot);
            }
        }
    }

    /// The values, each under what `key` makes of it.
    fn facet<K: Ord>(self, key: impl Fn(V) -> K) -> Facet<K> {
        let mut facet = Facet { present: set_of(self.present), sets: BTreeMap::new() };
        for (value, slots) in self.found {
            *facet.sets.entry(key(value)).or_default() |= set_of(slots);
        }
        facet
    }
}

/// What becomes of a slot's entry: an arrival has no old one, a departure no new one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change<'a> {
    pub(super) old: Option<&'a FeedEntry>,
    pub(super) new: Option<&'a FeedEntry>,
}

/// The facets of a project.
#[derive(Debug, Default)]
pub(super) struct Facets {
    /// Every slot in use.
    pub(super) all: RoaringBitmap,
    /// By folded name.
    pub(super) state: Facet<String>,
    pub(super) item_type: Facet<ItemType>,
    pub(super) priority: Facet<Priority>,
    pub(super) assignee: Facet<ActorId>,
    /// By folded name.
    pub(super) label: Facet<String>,
    pub(super) sprint: Facet<String>,
    pub(super) milestone: Facet<MilestoneId>,
    pub(super) blocked: RoaringBitmap,
    pub(super) estimate: Facet<Number>,
    pub(super) remaining: Facet<Number>,
    /// By holder, whether the claim is fresh or stale.
    pub(super) claimed: Facet<ActorId>,
    /// Slots with a claim by its last heartbeat, so that the stale ones come first.
    heartbeats: BTreeSet<(Timestamp, u32)>,
    pub(super) parent: Facet<ItemKey>,
    pub(super) due: Facet<Date>,
    /// By day in UTC, as the next two.
    pub(super) created: Facet<Date>,
    pub(super) updated: Facet<Date>,
    pub(super) resolved: Facet<Date>,
    pub(super) creator: Facet<ActorId>,
    /// By who commented where everybody looks, and where only those look who see the factory.
    pub(super) commented: Facet<ActorId>,
    pub(super) commented_in_factory: Facet<ActorId>,
    /// Slots with a linked pull request or item.
    pub(super) linked: RoaringBitmap,
    /// Slots with a live run.
    pub(super) running: RoaringBitmap,
    /// What the people and agents that entries name are called.
    pub(super) names: HashMap<ActorId, String>,
}

impl Facets {
    /// The facets of entries whose slots rise. Each entry is looked at once: together they are far larger than what a
    /// processor has at hand.
    pub(super) fn of<'a>(slots: impl Iterator<Item = (u32, &'a FeedEntry)>) -> Self {
        let mut facets = Self::default();
        let mut state = Collected::new();
        let mut item_type = Collected::new();
        let mut priority = Collected::new();
        let mut assignee = Collected::new();
        let mut label = Collected::new();
        let mut sprint = Collected::new();
        let mut milestone = Collected::new();
        let mut estimate = Collected::new();
        let mut remaining = Collected::new();
        let mut claimed = Collected::new();
        let mut parent = Collected::new();
        let mut due = Collected::new();
        let mut created = Collected::new();
        let mut updated = Collected::new();
        let mut resolved = Collected::new();
        let mut creator = Collected::new();
        let mut commented = Collected::new();
        let mut commented_in_factory = Collected::new();
        let (mut all, mut blocked, mut linked, mut running) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (slot, entry) in slots {
            state.add(slot, [entry.state.as_str()]);
            item_type.add(slot, [entry.item_type]);
            priority.add(slot, [entry.priority]);
            assignee.add(slot, entry.assignee.as_ref().map(|actor| actor.id));
            label.add(slot, entry.labels.iter().map(String::as_str));
            sprint.add(slot, entry.sprint.as_deref());
            milestone.add(slot, entry.milestone);
            estimate.add(slot, entry.estimate.and_then(Number::new));
            remaining.add(slot, entry.remaining.and_then(Number::new));
            claimed.add(slot, entry.claim.as_ref().map(|claim| claim.holder.id));
            parent.add(slot, entry.parent.as_ref());
            due.add(slot, entry.due);
            created.add(slot, [day_of(entry.created_at)]);
            updated.add(slot, [day_of(entry.updated_at)]);
            resolved.add(slot, entry.resolved_at.map(day_of));
            creator.add(slot, [entry.created_by.id]);
            commented.add(slot, entry.commenters.in_public());
            commented_in_factory.add(slot, entry.commenters.in_factory());
            all.push(slot);
            blocked.extend(entry.blocked.then_some(slot));
            linked.extend(is_linked(entry).then_some(slot));
            running.extend(entry.live_run.map(|_| slot));
            facets.heartbeats.extend(entry.claim.as_ref().map(|claim| (claim.heartbeat_at, slot)));
            facets.learn_names(entry);
        }
        Self {
            all: set_of(all),
            blocked: set_of(blocked),
            linked: set_of(linked),
            running: set_of(running),
            state: state.facet(fold),
            item_type: item_type.facet(|it| it),
            priority: priority.facet(|it| it),
            assignee: assignee.facet(|it| it),
            label: label.facet(fold),
            sprint: sprint.facet(str::to_owned),
            milestone: milestone.facet(|it| it),
            estimate: estimate.facet(|it| it),
            remaining: remaining.facet(|it| it),
            claimed: claimed.facet(|it| it),
            parent: parent.facet(ItemKey::clone),
            due: due.facet(|it| it),
            created: created.facet(|it| it),
            updated: updated.facet(|it| it),
            resolved: resolved.facet(|it| it),
            creator: creator.facet(|it| it),
            commented: commented.facet(|it| it),
            commented_in_factory: commented_in_factory.facet(|it| it),
            ..facets
        }
    }

    /// Follows the change of a slot's entry.
    pub(super) fn change(&mut self, slot: u32, change: Change<'_>) {
        self.state.change(slot, change, |entry| [fold(&entry.state)]);
        self.item_type.change(slot, change, |entry| [entry.item_type]);
        self.priority.change(slot, change, |entry| [entry.priority]);
        self.assignee.change(slot, change, |entry| entry.assignee.as_ref().map(|actor| actor.id));
        self.label.change(slot, change, |entry| {
            entry.labels.iter().map(|label| fold(label)).collect::<BTreeSet<_>>()
        });
        self.sprint.change(slot, change, |entry| entry.sprint.clone());
        self.milestone.change(slot, change, |entry| entry.milestone);
        self.estimate.change(slot, change, |entry| entry.estimate.and_then(Number::new));
        self.remaining.change(slot, change, |entry| entry.remaining.and_then(Number::new));
        self.claimed.change(slot, change, |entry| entry.claim.as_ref().map(|claim| claim.holder.id));
        self.parent.change(slot, change, |entry| entry.parent.clone());
        self.due.change(slot, change, |entry| entry.due);
        self.created.change(slot, change, |entry| [day_of(entry.created_at)]);
        self.updated.change(slot, change, |entry| [day_of(entry.updated_at)]);
        self.resolved.change(slot, change, |entry| entry.resolved_at.map(day_of));
        self.creator.change(slot, change, |entry| [entry.created_by.id]);
        self.commented.change(slot, change, |entry| entry.commenters.in_public().collect::<BTreeSet<_>>());
        self.commented_in_factory
            .change(slot, change, |entry| entry.commenters.in_factory().collect::<BTreeSet<_>>());
        if let Some(entry) = change.new {
            self.learn_names(entry);
        }
        if let Some(claim) = change.old.and_then(|entry| entry.claim.as_ref()) {
            self.heartbeats.remove(&(claim.heartbeat_at, slot));
        }
        if let Some(claim) = change.new.and_then(|entry| entry.claim.as_ref()) {
            self.heartbeats.insert((claim.heartbeat_at, slot));
        }
        put(&mut self.all, slot, change.new.is_some());
        put(&mut self.blocked, slot, change.new.is_some_and(|entry| entry.blocked));
        put(&mut self.linked, slot, change.new.is_some_and(is_linked));
        put(&mut self.running, slot, change.new.is_some_and(|entry| entry.live_run.is_some()));
    }

    /// Remembers what the people and agents of an entry are called. Nobody is forgotten: there are few of them.
    fn learn_names(&mut self, entry: &FeedEntry) {
        let holder = entry.claim.as_ref().map(|claim| &claim.holder);
        for actor in [Some(&entry.created_by), entry.assignee.as_ref(), holder].into_iter().flatten() {
            if self.names.get(&actor.id) != Some(&actor.name) {
                self.names.insert(actor.id, actor.name.clone());
            }
        }
    }

    /// People and agents with this name, or this word in their name, in any case, with or without accents.
    pub(super) fn called(&self, name: &str) -> Vec<ActorId> {
        let wanted = fold_text(name.trim());
        let is_called = |known: &str| {
            let known = fold_text(known);
            known == wanted || known.split_whitespace().any(|word| word == wanted)
        };
        self.names.iter().filter(|(_, known)| is_called(known)).map(|(id, _)| *id).collect()
    }

    /// Slots with a stale claim: a last heartbeat before `limit`.
    pub(super) fn stale(&self, limit: Timestamp) -> RoaringBitmap {
        self.heartbeats.range(..(limit, 0)).map(|(_, slot)| *slot).collect()
    }

    /// The latest heartbeat before `limit`. While no entry changes, two limits of the same mark have the
    /// same stale claims.
    pub(super) fn stale_mark(&self, limit: Timestamp) -> Option<Timestamp> {
        self.heartbeats.range(..(limit, 0)).next_back().map(|(at, _)| *at)
    }
}

/// A set of slots that rise.
fn set_of(slots: impl IntoIterator<Item = u32>) -> RoaringBitmap {
    let mut set = RoaringBitmap::new();
    let _ = set.append(slots);
    set
}

fn is_linked(entry: &FeedEntry) -> bool {
    !entry.link_urls.is_empty() || entry.linked_items
}

/// The day of a time, in UTC.
fn day_of(time: Timestamp) -> Date {
    Offset::UTC.to_datetime(time).date()
}

fn put(set: &mut RoaringBitmap, slot: u32, member: bool) {
    if member {
        set.insert(slot);
    } else {
        set.remove(slot);
    }
}

//! The order of all slots for every way to sort, and the beginning of a set of hits in one of them.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use roaring::RoaringBitmap;

use super::entry::FeedEntry;
use super::facets::Change;
use super::order::Order;
use super::request::{Sort, SortKey};
use super::text::{TextIndex, fold};
use crate::filter::Number;
use crate::rank::Rank;
use crate::search::terms::fold_text;

/// How much longer it takes to fetch and sort a hit than to pass by a slot that may be none.
const SORT_COST: u64 = 2;
/// Hits that are less than one slot in so many are thin: their bitmap is a list, in which a slot is searched
/// for.
const THIN: u64 = 16;
/// How much longer such a search takes than to mark a hit.
const SEARCH_COST: u64 = 4;
/// Candidates are few when they are less than one slot in so many.
const FEW: u64 = 64;

#[derive(Debug, Default)]
struct Column {
    /// By slot: what it is sorted by, in eight bytes that compare as the value does.
    keys: Vec<u64>,
    order: Order,
}

/// The orders of a project.
#[derive(Debug, Default)]
pub(super) struct Orders {
    /// One per [`SortKey`], in its order. Items without an estimate are not in that one.
    columns: [Column; SortKey::ALL.len()],
    /// By slot: the ranks of the items that were moved. The others have the rank of their number.
    ranks: HashMap<u32, Rank>,
}

impl Orders {
    /// The orders of these entries but that by title, whose slots count from 0 and rise with the number.
    pub(super) fn of<'a>(slots: impl Iterator<Item = (u32, &'a FeedEntry)>) -> Self {
        let mut orders = Self::default();
        // By sort: the slots that have such a value. Each entry is looked at once.
        let mut valued: [Vec<u32>; SortKey::ALL.len()] = Default::default();
        for (slot, entry) in slots {
            for sort in SortKey::ALL {
                let key = key_of(entry, *sort);
                orders.columns[*sort as usize].keys.push(key.unwrap_or_default());
                valued[*sort as usize].extend(key.map(|_| slot));
            }
            orders.ranks.extend(entry.rank.clone().map(|rank| (slot, rank)));
        }
        for sort in SortKey::ALL.iter().filter(|sort| **sort != SortKey::Title) {
            let keys = &orders.columns[*sort as usize].keys;
            let valued = std::mem::take(&mut valued[*sort as usize]);
            let mut placed: Vec<(u64, u32)> =
                valued.into_iter().map(|slot| (keys[slot as usize], slot)).collect();
            placed.sort_unstable();
            if *sort == SortKey::Rank {
                for same in placed.chunk_by_mut(|one, other| one.0 == other.0) {
                    same.sort_by_cached_key(|(_, slot)| (orders.rank(*slot).into_owned(), *slot));
                }
            }
            orders.columns[*sort as usize].order = Order::of(placed.into_iter().map(|(_, slot)| slot));
        }
        orders
    }

    /// Takes in the order by title, of all slots.
    pub(super) fn put_titles(&mut self, titles: &[u32]) {
        self.columns[SortKey::Title as usize].order = Order::of(titles.iter().copied());
    }

    /// The sorts in which a change moves the slot.
    pub(super) fn moved(change: Change<'_>) -> Vec<SortKey> {
        fn place(entry: Option<&FeedEntry>, sort: SortKey) -> Option<(Option<u64>, Option<&str>)> {
            entry.map(|entry| (key_of(entry, sort), text_of(entry, sort)))
        }
        let moves = |sort: &SortKey| place(change.old, *sort) != place(change.new, *sort);
        SortKey::ALL.iter().copied().filter(moves).collect()
    }

    /// Takes a slot out of some orders, while the text index still has its old title.
    pub(super) fn take_out(&mut self, slot: u32, sorts: &[SortKey], text: &TextIndex) {
        for sort in sorts {
            let mut order = std::mem::take(&mut self.columns[*sort as usize].order);
            order.remove(|other| self.compare(*sort, other, slot, text));
            self.columns[*sort as usize].order = order;
        }
        if sorts.contains(&SortKey::Rank) {
            self.ranks.remove(&slot);
        }
    }

    /// Puts a slot into the same orders, once the text index has its new title.
    pub(super) fn put_in(&mut self, slot: u32, entry: &FeedEntry, sorts: &[SortKey], text: &TextIndex) {
        for sort in sorts {
            let column = &mut self.columns[*sort as usize];
            let at = slot as usize;
            if column.keys.len() <= at {
                column.keys.resize(at + 1, 0);
            }
            column.keys[at] = key_of(entry, *sort).unwrap_or_default();
        }
        if let Some(rank) = entry.rank.clone().filter(|_| sorts.contains(&SortKey::Rank)) {
            self.ranks.insert(slot, rank);
        }
        for sort in sorts.iter().filter(|sort| key_of(entry, **sort).is_some()) {
            let mut order = std::mem::take(&mut self.columns[*sort as usize].order);
            order.insert(slot, |other| self.compare(*sort, other, slot, text));
            self.columns[*sort as usize].order = order;
        }
    }

    /// The first `want` of the hits in an order, which holds them all.
    pub(super) fn first(
        &self,
        hits: &RoaringBitmap,
        sort: SortKey,
        descending: bool,
        want: usize,
        text: &TextIndex,
    ) -> Vec<u32> {
        let order = &self.columns[sort as usize].order;
        let (all, found) = (order.len() as u64, hits.len());
        // Along the order, a hit comes by every all/found slots.
        let steps = ((want as u64).saturating_mul(all) / found.max(1)).min(all);
        if steps > found.saturating_mul(SORT_COST) {
            self.sorted(hits, sort, descending, want, text)
        } else if found.saturating_mul(THIN) < all && found < steps.saturating_mul(SEARCH_COST) {
            let marks = Marks::of(hits);
            along(order, descending, want, |slot| marks.contain(slot))
        } else {
            along(order, descending, want, |slot| hits.contains(slot))
        }
    }

    /// Every slot, last changed first.
    pub(super) fn newest(&self) -> impl Iterator<Item = u32> {
        self.columns[SortKey::Updated as usize].order.iter().rev()
    }

    /// Candidates, last changed first, found as they are asked for.
    pub(super) fn by_change(&self, candidates: RoaringBitmap, text: &TextIndex) -> impl Iterator<Item = u32> {
        let few = self.are_few(candidates.len());
        let sorted =
            if few { self.sorted(&candidates, SortKey::Updated, true, usize::MAX, text) } else { Vec::new() };
        let along = (!few).then(|| self.newest().filter(move |slot| candidates.contains(*slot)));
        sorted.into_iter().chain(along.into_iter().flatten())
    }

    /// Whether so many slots are so few that they are better sorted than looked for along an order.
    pub(super) fn are_few(&self, count: u64) -> bool {
        count.saturating_mul(FEW) < self.columns[SortKey::Updated as usize].order.len() as u64
    }

    fn sorted(
        &self,
        hits: &RoaringBitmap,
        sort: SortKey,
        descending: bool,
        want: usize,
        text: &TextIndex,
    ) -> Vec<u32> {
        let keys = &self.columns[sort as usize].keys;
        let mut found: Vec<(u64, u32)> = hits.iter().map(|slot| (keys[slot as usize], slot)).collect();
        let compare = |a: &(u64, u32), b: &(u64, u32)| {
            let ordering = a.0.cmp(&b.0).then_with(|| self.tie(sort, a.1, b.1, text));
            if descending { ordering.reverse() } else { ordering }
        };
        if want < found.len() {
            found.select_nth_unstable_by(want, compare);
            found.truncate(want);
        }
        found.sort_unstable_by(compare);
        found.into_iter().map(|(_, slot)| slot).collect()
    }

    fn compare(&self, sort: SortKey, a: u32, b: u32, text: &TextIndex) -> Ordering {
        let keys = &self.columns[sort as usize].keys;
        keys[a as usize].cmp(&keys[b as usize]).then_with(|| self.tie(sort, a, b, text))
    }

    /// Compares slots of the same key: titles and ranks beyond what the key holds of them, then numbers.
    fn tie(&self, sort: SortKey, a: u32, b: u32, text: &TextIndex) -> Ordering {
        let numbers = &self.columns[SortKey::Key as usize].keys;
        let texts = match sort {
            SortKey::Title => text.title(a).cmp(text.title(b)),
            SortKey::Rank => self.rank(a).cmp(&self.rank(b)),
            _ => Ordering::Equal,
        };
        texts.then_with(|| numbers[a as usize].cmp(&numbers[b as usize]))
    }

    fn rank(&self, slot: u32) -> Cow<'_, Rank> {
        let number = || self.columns[SortKey::Key as usize].keys[slot as usize];
        self.ranks.get(&slot).map_or_else(|| Cow::Owned(Rank::initial(number())), Cow::Borrowed)
    }

    /// Slots in the order given by hand that come after this one; all of them without one.
    pub(super) fn ranked_after(&self, slot: Option<u32>, text: &TextIndex) -> impl Iterator<Item = u32> {
        let order = &self.columns[SortKey::Rank as usize].order;
        let place = move |other| match slot {
            Some(slot) => self.compare(SortKey::Rank, other, slot, text),
            None => Ordering::Greater,
        };
        order.after(place)
    }

    /// This slot and those before it in the order given by hand, the last first.
    pub(super) fn ranked_up_to(&self, slot: u32, text: &TextIndex) -> impl Iterator<Item = u32> {
        let order = &self.columns[SortKey::Rank as usize].order;
        order.up_to(move |other| self.compare(SortKey::Rank, other, slot, text))
    }
}

/// The slots from 0 by their titles, and those of the same title as they are.
pub(super) fn by_title(count: usize, text: &TextIndex) -> Vec<u32> {
    // There are never four billion.
    let mut slots: Vec<u32> = (0_u32..).take(count).collect();
    sort_by_title(&mut slots, 0, text);
    slots
}

/// Sorts slots whose titles are alike in the first `from` bytes: by the next eight, and then those that are alike in
/// these too. So each title is fetched once for every eight bytes instead of once for every comparison.
fn sort_by_title(slots: &mut [u32], from: usize, text: &TextIndex) {
    let keyed = |slot: &u32| {
        let rest = text.title(*slot).as_bytes().get(from..).unwrap_or_default();
        let (mut key, length) = ([0; 8], rest.len().min(8));
        key[..length].copy_from_slice(&rest[..length]);
        // Of titles that are alike, the one that ends comes first.
        (u64::from_be_bytes(key), rest.len().min(9), *slot)
    };
    let mut sorted: Vec<(u64, usize, u32)> = slots.iter().map(keyed).collect();
    sorted.sort_unstable();
    slots.iter_mut().zip(&sorted).for_each(|(slot, (_, _, sorted))| *slot = *sorted);
    let mut done = 0;
    for alike in sorted.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
        let part = &mut slots[done..done + alike.len()];
        done += alike.len();
        if alike.len() > 1 && alike[0].1 > 8 {
            sort_by_title(part, from + 8, text);
        }
    }
}

/// The first `want` slots of an order that are hits.
fn along(order: &Order, descending: bool, want: usize, is_hit: impl Fn(u32) -> bool) -> Vec<u32> {
    let hit = |slot: &u32| is_hit(*slot);
    if descending {
        order.iter().rev().filter(hit).take(want).collect()
    } else {
        order.iter().filter(hit).take(want).collect()
    }
}

/// A bit per slot: dearer to make than to have a bitmap already, and much cheaper to ask.
struct Marks(Vec<u64>);

impl Marks {
    fn of(slots: &RoaringBitmap) -> Self {
        let words = slots.max().map_or(0, |last| last as usize / 64 + 1);
        let mut marks = vec![0; words];
        for slot in slots {
            marks[slot as usize / 64] |= 1 << (slot % 64);
        }
        Self(marks)
    }

    fn contain(&self, slot: u32) -> bool {
        self.0.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }
}

/// What an entry is sorted by, in eight bytes; `None` where it has no such value.
fn key_of(entry: &FeedEntry, sort: SortKey) -> Option<u64> {
    match sort {
        SortKey::Updated => Some(time_key(entry.updated_at)),
        SortKey::Created => Some(time_key(entry.created_at)),
        SortKey::Key => Some(entry.number),
        SortKey::Title => Some(title_key(&entry.title)),
        SortKey::Priority => Some(entry.priority as u64),
        SortKey::Estimate => entry.estimate.and_then(Number::new).map(number_key),
        SortKey::Due => entry.due.map(day_key),
        SortKey::Resolved => entry.resolved_at.map(time_key),
        SortKey::Rank => {
            let initial = || Rank::initial_sort_key(entry.number);
            Some(entry.rank.as_ref().map_or_else(initial, Rank::sort_key))
        }
    }
}

impl Sort {
    /// How two entries of any projects follow each other in a list that is sorted so.
    pub fn compare(self, a: &FeedEntry, b: &FeedEntry) -> Ordering {
        let directed = |ordering: Ordering| if self.descending { ordering.reverse() } else { ordering };
        let numbers = || a.number.cmp(&b.number);
        match (key_of(a, self.key), key_of(b, self.key)) {
            (Some(x), Some(y)) => directed(x.cmp(&y).then_with(|| texts(self.key, a, b)).then_with(numbers)),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => directed(numbers()),
        }
    }
}

fn texts(sort: SortKey, a: &FeedEntry, b: &FeedEntry) -> Ordering {
    match sort {
        SortKey::Title => fold(&a.title).cmp(&fold(&b.title)),
        SortKey::Rank => a.rank().cmp(&b.rank()),
        _ => Ordering::Equal,
    }
}

/// The text that an entry is sorted by where its key holds only the beginning of it.
fn text_of(entry: &FeedEntry, sort: SortKey) -> Option<&str> {
    match sort {
        SortKey::Title => Some(&entry.title),
        SortKey::Rank => entry.rank.as_ref().map(Rank::as_str),
        _ => None,
    }
}

/// Nanoseconds, moved so that times before 1970 come first. Times beyond the years 1678 to 2262 are not
/// told apart.
fn time_key(time: Timestamp) -> u64 {
    let clamped = time.as_nanosecond().clamp(i128::from(i64::MIN), i128::from(i64::MAX));
    u64::try_from(clamped - i128::from(i64::MIN)).unwrap_or_default()
}

/// The order of days, also of negative years.
fn day_key(day: Date) -> u64 {
    let days = i64::from(day.year()) * 400 + i64::from(day.month()) * 32 + i64::from(day.day());
    u64::try_from(days - i64::from(i16::MIN) * 400).unwrap_or_default()
}

/// The first eight bytes of the folded title.
fn title_key(title: &str) -> u64 {
    let mut key = [0; 8];
    // Of other titles, letters may belong together beyond any number of characters.
    let beginning = if title.is_ascii() { &title[..title.len().min(key.len())] } else { title };
    let folded = fold_text(beginning);
    let length = folded.len().min(key.len());
    key[..length].copy_from_slice(&folded.as_bytes()[..length]);
    u64::from_be_bytes(key)
}

/// The bits of the number, turned so that they compare as numbers do.
fn number_key(number: Number) -> u64 {
    let bits = number.get().to_bits();
    if number.get().is_sign_negative() { !bits } else { bits | (1 << 63) }
}

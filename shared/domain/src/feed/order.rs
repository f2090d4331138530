//! All slots in one order, kept through changes.
//!
//! A list of sorted chunks: reading along it costs little more than reading an array, a change moves at
//! most one chunk's worth of memory, and it takes four bytes a slot. It knows no keys: the caller brings
//! the comparison, and takes a slot out before its key changes.

use std::cmp::Ordering;

/// A chunk of more slots is cut in two.
const MAX_CHUNK: usize = 512;

#[derive(Debug, Default)]
pub(super) struct Order {
    /// Never holds an empty chunk.
    chunks: Vec<Vec<u32>>,
    len: usize,
}

impl Order {
    /// The order of slots that are sorted already.
    pub(super) fn of(sorted: impl IntoIterator<Item = u32>) -> Self {
        let (mut sorted, mut order) = (sorted.into_iter(), Self::default());
        loop {
            // Half full, so that what comes next finds room everywhere.
            let chunk: Vec<u32> = sorted.by_ref().take(MAX_CHUNK / 2).collect();
            if chunk.is_empty() {
                return order;
            }
            order.len += chunk.len();
            order.chunks.push(chunk);
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Every slot, lowest first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.chunks.iter().flatten().copied()
    }

    /// The slots that `place` finds greater, lowest first.
    pub(super) fn after(&self, place: impl Fn(u32) -> Ordering) -> impl Iterator<Item = u32> {
        let at = self.chunk(&place);
        let within =
            self.chunks.get(at).map_or(0, |chunk| chunk.partition_point(|other| place(*other).is_le()));
        self.chunks[at.min(self.chunks.len())..].iter().flatten().copied().skip(within)
    }

    /// The slots that `place` finds lower or equal, highest first.
    pub(super) fn up_to(&self, place: impl Fn(u32) -> Ordering) -> impl Iterator<Item = u32> {
        let at = self.chunk(&place).min(self.chunks.len());
        let within = self
            .chunks
            .get(at)
            .map_or(&[][..], |chunk| &chunk[..chunk.partition_point(|other| place(*other).is_le())]);
        let before = self.chunks[..at].iter().rev().flat_map(|chunk| chunk.iter().rev());
        within.iter().rev().chain(before).copied()
    }

    /// Puts in a slot that is not there yet. `place` says how a slot compares with it.
    pub(super) fn insert(&mut self, slot: u32, place: impl Fn(u32) -> Ordering) {
        self.len += 1;
        let at = self.chunk(&place).min(self.chunks.len().saturating_sub(1));
        let Some(chunk) = self.chunks.get_mut(at) else {
            self.chunks.push(vec![slot]);
            return;
        };
        chunk.insert(chunk.partition_point(|other| place(*other).is_lt()), slot);
        if chunk.len() > MAX_CHUNK {
            let upper = chunk.split_off(MAX_CHUNK / 2);
            self.chunks.insert(at + 1, upper);
        }
    }

    /// Takes out the slot that `place` finds equal, if it is there.
    pub(super) fn remove(&mut self, place: impl Fn(u32) -> Ordering) {
        let at = self.chunk(&place);
        let Some(chunk) = self.chunks.get_mut(at) else { return };
        if let Ok(found) = chunk.binary_search_by(|other| place(*other)) {
            chunk.remove(found);
            self.len -= 1;
            if chunk.is_empty() {
                self.chunks.remove(at);
            }
        }
    }

    /// The first chunk whose last slot is not lower.
    fn chunk(&self, place: impl Fn(u32) -> Ordering) -> usize {
        self.chunks.partition_point(|chunk| chunk.last().is_some_and(|last| place(*last).is_lt()))
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_CHUNK, Order};

    #[test]
    fn stays_sorted_through_cuts_and_removals() {
        let mut order = Order::default();
        let count = u32::try_from(MAX_CHUNK * 5).unwrap();
        // 7 and the count have no common divisor: every slot once, in a scattered order.
        for i in 0..count {
            let slot = i * 7 % count;
            order.insert(slot, |other| other.cmp(&slot));
        }
        assert!(order.iter().eq(0..count));
        for slot in (0..count).filter(|slot| slot % 3 != 0) {
            order.remove(|other| other.cmp(&slot));
        }
        assert!(order.iter().rev().eq((0..count).rev().filter(|slot| slot % 3 == 0)));
        assert_eq!(order.len(), order.iter().count());
        let again = Order::of(order.iter());
        assert!(again.iter().eq(order.iter()) && again.len() == order.len());
        for slot in 0..count {
            order.remove(|other| other.cmp(&slot));
        }
        assert_eq!((order.len(), order.iter().next()), (0, None));
    }
}

//! The times that place changes in a project's feed: those of the clock, and never earlier than one before.
//!
//! Readers of changes go on behind the newest place that they have seen. A clock that is set back must
//! not place a change before it, where nobody looks any more: while it is behind, each change is placed a
//! millisecond after the last. A store that was written under a later time than it is now says so when it is
//! opened.
//!
//! It also knows which changes of this process are on their way to the store: all others are settled, so that a process
//! whose changes are the only ones reads no further back than the first of them.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use jiff::Timestamp;
use parking_lot::Mutex;

/// A clock that is this much behind was set back; one that is less is one of several threads that look at it.
const BEHIND_MILLIS: i64 = 1_000;

/// A commit that nobody waits for any more is over after this time.
const ABANDONED_MILLIS: i64 = 10_000;

/// The places of this process.
#[derive(Debug, Default)]
pub struct FeedClock {
    places: Mutex<Places>,
}

#[derive(Debug, Default)]
struct Places {
    last: i64,
    /// Tells changes of one millisecond apart.
    count: u64,
    /// The changes that may still reach the store, and whether anybody waits for them.
    open: BTreeMap<(i64, u64), Waited>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waited {
    Yes,
    Abandoned,
}

impl Places {
    fn next(&mut self, now: Timestamp) -> i64 {
        let now = now.as_millisecond();
        let behind = now < self.last - BEHIND_MILLIS;
        self.last = if behind { self.last + 1 } else { self.last.max(now) };
        self.last
    }
}

impl FeedClock {
    /// Lets no place be before this time.
    pub fn not_before(&self, time: Timestamp) {
        let mut places = self.places.lock();
        places.last = places.last.max(time.as_millisecond());
    }

    /// The place of a change that is made now, in milliseconds of the Unix epoch.
    pub fn place(&self, now: Timestamp) -> i64 {
        self.places.lock().next(now)
    }

    /// The place of a change that is made now, which is open until it is dropped.
    pub(crate) fn open(self: &Arc<Self>, now: Timestamp) -> Place {
        let mut places = self.places.lock();
        places.count += 1;
        let name = (places.next(now), places.count);
        places.open.insert(name, Waited::Yes);
        Place { clock: Arc::clone(self), name, is_sent: false }
    }

    /// From which place on changes may come that the store does not show yet: no change before it is open, and none will
    /// be made there.
    pub(crate) fn settled(&self, now: Timestamp) -> i64 {
        let mut places = self.places.lock();
        let over = now.as_millisecond().saturating_sub(ABANDONED_MILLIS);
        places.open.retain(|(at, _), waited| *waited == Waited::Yes || *at > over);
        places.open.first_key_value().map_or(places.last, |((at, _), _)| places.last.min(*at))
    }
}

/// The place of a change that is on its way.
#[derive(Debug)]
pub(crate) struct Place {
    clock: Arc<FeedClock>,
    name: (i64, u64),
    is_sent: bool,
}

impl Place {
    /// The place, in milliseconds of the Unix epoch.
    pub(crate) const fn millis(&self) -> i64 {
        self.name.0
    }

    /// The store has the change now: if this is dropped before it is [known](Place::settle) what became of it, it may
    /// still happen.
    pub(crate) const fn send(&mut self) {
        self.is_sent = true;
    }

    /// It is known what became of the change.
    pub(crate) fn settle(mut self) {
        self.is_sent = false;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut places = self.clock.places.lock();
        if mem::take(&mut self.is_sent) {
            places.open.insert(self.name, Waited::Abandoned);
        } else {
            places.open.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use jiff::{Timestamp, ToSpan as _};

    use super::FeedClock;

    fn noon() -> Timestamp {
        "2026-01-01T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn no_place_is_before_one_that_was_given() {
        let clock = FeedClock::default();
        let noon = noon();
        let millis = noon.as_millisecond();
        assert_eq!(clock.place(noon), millis);
        assert_eq!(clock.place(noon - 5.milliseconds()), millis);
        assert_eq!(clock.place(noon - 1.hour()), millis + 1);
        assert_eq!(clock.place(noon - 1.hour()), millis + 2);
        assert_eq!(clock.place(noon + 1.second()), millis + 1_000);
        clock.not_before(noon + 1.hour());
        assert_eq!(clock.place(noon), millis + 3_600_001);
    }

    #[test]
    fn what_is_on_its_way_is_not_settled() {
        let clock = Arc::new(FeedClock::default());
        let millis = noon().as_millisecond();
        let first = clock.open(noon());
        let second = clock.open(noon() + 1.second());
        assert_eq!(first.millis(), millis);
        assert_eq!(clock.settled(noon() + 1.second()), millis);
        drop(first);
        assert_eq!(clock.settled(noon() + 1.second()), millis + 1_000, "the second is open");
        second.settle();
        clock.place(noon() + 2.seconds());
        assert_eq!(clock.settled(noon() + 2.seconds()), millis + 2_000, "nothing comes before the last");
    }

    #[test]
    fn a_commit_that_nobody_waits_for_may_still_happen() {
        let clock = Arc::new(FeedClock::default());
        let millis = noon().as_millisecond();
        let mut cancelled = clock.open(noon());
        cancelled.send();
        drop(cancelled);
        clock.place(noon() + 5.seconds());
        assert_eq!(clock.settled(noon() + 5.seconds()), millis);
        assert_eq!(clock.settled(noon() + 10.seconds()), millis + 5_000);
    }
}

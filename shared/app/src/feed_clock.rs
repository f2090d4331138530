//! The times that place changes in a project's feed: those of the clock, and never earlier than one before.
//!
//! Whoever reads what changed goes on behind the newest place that they have seen. A clock that is set back must
//! not place a change before it, where nobody looks any more: while it is behind, each change is placed a
//! millisecond after the last. A store that was written under a later time than it is now says so when it is
//! opened.

use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

/// A clock that is this much behind was set back; one that is less is one of several threads that look at it.
const BEHIND_MILLIS: i64 = 1_000;

/// The places of this process.
#[derive(Debug, Default)]
pub struct FeedClock {
    last: AtomicI64,
}

impl FeedClock {
    /// Lets no place be before this time.
    pub fn not_before(&self, time: Timestamp) {
        self.last.fetch_max(time.as_millisecond(), Ordering::SeqCst);
    }

    /// The place of a change that is made now, in milliseconds of the Unix epoch.
    pub fn place(&self, now: Timestamp) -> i64 {
        let now = now.as_millisecond();
        let next = |last: i64| if now < last - BEHIND_MILLIS { last + 1 } else { last.max(now) };
        let last = self.last.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |last| Some(next(last)));
        next(last.unwrap_or(now))
    }
}

#[cfg(test)]
mod tests {
    use jiff::{Timestamp, ToSpan as _};

    use super::FeedClock;

    #[test]
    fn no_place_is_before_one_that_was_given() {
        let clock = FeedClock::default();
        let noon: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
        let millis = noon.as_millisecond();
        assert_eq!(clock.place(noon), millis);
        assert_eq!(clock.place(noon - 5.milliseconds()), millis);
        assert_eq!(clock.place(noon - 1.hour()), millis + 1);
        assert_eq!(clock.place(noon - 1.hour()), millis + 2);
        assert_eq!(clock.place(noon + 1.second()), millis + 1_000);
        clock.not_before(noon + 1.hour());
        assert_eq!(clock.place(noon), millis + 3_600_001);
    }
}

//! A clock that stands still until a test moves it.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use svc_app::ports::Clock;

/// A clock that starts at a fixed moment, 2026-01-05T09:00:00Z, and moves only when told to.
pub struct TestClock(Mutex<(Timestamp, Duration)>);

/// 2026-01-05T09:00:00Z.
const START: i64 = 1_767_603_600;

impl Default for TestClock {
    fn default() -> Self {
        Self::at(Timestamp::constant(START, 0))
    }
}

impl TestClock {
    /// A clock that stands at this moment.
    pub const fn at(time: Timestamp) -> Self {
        Self(Mutex::new((time, Duration::ZERO)))
    }

    /// Moves forward; the time that follows.
    pub fn advance(&self, by: SignedDuration) -> Timestamp {
        let mut both = self.0.lock();
        both.0 += by;
        both.1 += by.unsigned_abs();
        both.0
    }

    /// Somebody sets it forward, or back: no time passes.
    pub fn step(&self, by: SignedDuration) -> Timestamp {
        let mut both = self.0.lock();
        both.0 += by;
        both.0
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        self.0.lock().0
    }

    fn uptime(&self) -> Duration {
        self.0.lock().1
    }
}

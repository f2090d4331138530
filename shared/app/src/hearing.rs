//! Since when a server hears of its runners.
//!
//! A run is lost when its runner was silent for too long. Silence counts only while the server listens and its clock goes:
//!
//! | what happened                                                | silence counts from            |
//! |--------------------------------------------------------------|--------------------------------|
//! | nothing                                                      | the last heartbeat             |
//! | the server began to serve after it                           | that moment                    |
//! | the clock was set, or the machine slept                      | when that was noticed          |
//! | the process stood still for longer than [`GAP`]              | when it went on                |
//! | the last heartbeat is later than now: the clock was set back | when that was noticed; where    |
//! |                                                              | others serve too, the heartbeat, which one of them wrote |
//!
//! The clock of the wall and the time that the process has run go on alike. Where they do not, somebody set the clock, or
//! the machine slept, whose process does not age meanwhile. Whoever judges a run looks first, so that no judgment comes
//! before it is noticed; a tick looks in between, so that a gap is one. A Lambda function has none of this: it is asked
//! when it is started, and does not live long enough to tell silence from its own.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;

use crate::ports::Clock;

/// How far the clock is set at least, to count: the difference between two looks of other threads is less.
const STEP: SignedDuration = SignedDuration::from_secs(5);
/// How often somebody looks.
pub const TICK: Duration = Duration::from_secs(10);
/// How long a process that ticks stood still at least, to count.
const GAP: Duration = Duration::from_secs(30);

/// Since when a server hears of its runners.
#[derive(Debug)]
pub struct Hearing {
    state: Mutex<State>,
    /// Whether no other process writes heartbeats.
    alone: bool,
}

#[derive(Clone, Copy, Debug)]
struct State {
    since: Timestamp,
    /// The clock and the age of the process at the last look.
    seen: (Timestamp, Duration),
    ticks: bool,
}

impl Hearing {
    /// It begins now, in a process that serves alone or with others.
    pub fn begin(clock: &dyn Clock, alone: bool) -> Self {
        let since = clock.now();
        Self { state: Mutex::new(State { since, seen: (since, clock.uptime()), ticks: false }), alone }
    }

    /// Looks, every [`TICK`].
    pub fn tick(&self, clock: &dyn Clock) {
        self.since(clock);
        self.state.lock().ticks = true;
    }

    /// Looks; since when it hears.
    pub fn since(&self, clock: &dyn Clock) -> Timestamp {
        let mut state = self.state.lock();
        let (now, age) = (clock.now(), clock.uptime());
        let passed = age.saturating_sub(state.seen.1);
        let by_the_clock = now.duration_since(state.seen.0);
        let set_by = by_the_clock - SignedDuration::try_from(passed).unwrap_or(SignedDuration::MAX);
        if set_by.abs() > STEP || (state.ticks && passed > GAP) {
            tracing::warn!(
                set_by_seconds = set_by.as_secs(),
                stood_still_seconds = passed.as_secs(),
                "the clock was set, or this process stood still: runs count as heard of now"
            );
            state.since = now;
        }
        state.seen = (now, age);
        state.since
    }

    /// When somebody was last heard of whose last word has this time.
    pub fn last_heard(&self, word: Timestamp, clock: &dyn Clock) -> Timestamp {
        let since = self.since(clock);
        if self.alone && word > clock.now() + STEP { since } else { word.max(since) }
    }
}

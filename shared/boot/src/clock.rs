//! The real clock and the real source of ids and secrets.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rand::TryRng as _;
use svc_app::ports::{Clock, Ids};
use uuid::Uuid;

/// The wall clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the wall clock")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn uptime(&self) -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed()
    }
}

/// Ids and secrets from the operating system's random numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsIds;

impl Ids for OsIds {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that makes ids")]
    fn uuid(&self) -> Uuid {
        Uuid::now_v7()
    }

    /// Of the process's own generator, which the system seeds: every request needs one, and asking the system
    /// each time is a system call more.
    fn trace_id(&self) -> u128 {
        rand::random()
    }

    fn secret(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        // Without random numbers there are no secrets, and nothing safe to go on with.
        rand::rngs::SysRng.try_fill_bytes(&mut bytes).expect("the operating system has random numbers");
        bytes
    }
}

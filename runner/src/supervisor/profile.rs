//! What the supervisor knows of one registration.

use std::time::Duration;

use super::messages::{Moment, ProfileSpec};

const LONGEST_BACKOFF: Duration = Duration::from_secs(30);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Connecting,
    Waiting { until: Moment },
    Ready,
    Refused,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct OutstandingTake {
    pub(super) since: Moment,
    pub(super) told_to_stop: bool,
}

#[derive(Debug)]
pub(super) struct Profile {
    pub(super) spec: ProfileSpec,
    pub(super) phase: Phase,
    /// No longer in `runner.json`.
    pub(super) removed: bool,
    pub(super) take_wait: Duration,
    pub(super) take_every: Duration,
    pub(super) take: Option<OutstandingTake>,
    pub(super) hello_outstanding: bool,
    pub(super) request_id: Option<String>,
    pub(super) not_before: Moment,
    pub(super) failures: u32,
    pub(super) last_contact: Moment,
}

impl Profile {
    /// A profile that was just told to say hello.
    pub(super) const fn new(now: Moment, spec: ProfileSpec) -> Self {
        Self {
            spec,
            phase: Phase::Connecting,
            removed: false,
            take_wait: Duration::ZERO,
            take_every: Duration::ZERO,
            take: None,
            hello_outstanding: true,
            request_id: None,
            not_before: now,
            failures: 0,
            last_contact: now,
        }
    }

    pub(super) fn works(&self) -> bool {
        !self.removed && self.phase != Phase::Refused
    }

    pub(super) fn back_off(&mut self, now: Moment) -> Moment {
        let pause = Duration::from_secs(1 << self.failures.min(5)).min(LONGEST_BACKOFF);
        self.failures += 1;
        now + pause
    }

    pub(super) fn answered(&mut self, now: Moment) {
        self.failures = 0;
        self.last_contact = now;
    }
}

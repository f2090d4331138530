//! What happens to a run, and the source of each event.

use jiff::{SignedDuration, Timestamp};

use crate::budget::RunBudget;
use crate::failure::FailureReason;
use crate::harness::Harness;
use crate::ids::{Actor, RunnerId};
use crate::run::{Ending, Named, Report};

/// What happens to a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A runner asks for it.
    Take(Offer),
    /// The harness started.
    Start {
        /// The source.
        by: Presenter,
        /// Session of the harness, where it is known up front.
        session: Option<String>,
    },
    /// The runner still works on it.
    Heartbeat(Presenter),
    /// The runner delivers log entries.
    Log(Presenter),
    /// The runner cannot begin it now.
    GiveBack(Presenter),
    /// The harness ended, or could not be started.
    Finish {
        /// The source.
        by: Presenter,
        /// How it ended.
        ending: Ending,
        /// What came of it.
        report: Report,
    },
    /// A person stops it.
    Cancel {
        /// The person.
        by: Actor,
        /// How long its runner may still deliver log and report.
        window_open_for: SignedDuration,
    },
    /// It has used more than it may.
    OverBudget {
        /// What of, in a sentence.
        detail: String,
        /// How long its runner may still deliver log and report.
        window_open_for: SignedDuration,
    },
    /// The periodic check for a runner that went silent.
    Silence {
        /// When it was last heard of.
        last_heard: Timestamp,
        /// After how long it counts as lost.
        lost_after: SignedDuration,
    },
    /// A person wants its session resumed.
    Continue {
        /// Whether it is the latest run of its item.
        latest: bool,
    },
    /// A person wants it started over.
    Retry,
    /// It turns out that no runner can do it.
    Abandon(FailureReason),
}

/// A runner that asks for a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// The runner.
    pub runner: Named<RunnerId>,
    /// Harnesses that it can start.
    pub harnesses: Vec<Harness>,
    /// Whether the run's chosen runner is disabled or deleted.
    pub chosen_is_gone: bool,
    /// Id of the request.
    pub request: String,
    /// SHA-256 of the agent token to issue, hex.
    pub token_hash: String,
    /// What the run may use.
    pub budget: RunBudget,
}

/// A runner that speaks of a run it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presenter {
    /// The runner.
    pub runner: RunnerId,
    /// Number of its assignment.
    pub fence: u64,
}

//! Events of runs.

use jiff::SignedDuration;

use crate::ids::{Actor, ItemKey, RunId};
use crate::run::RunStatus;

/// What queued a run where nobody asked for that run by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Via {
    /// What did, such as `rule Go`.
    pub what: String,
    /// Who set it off; `None` where it went off by itself.
    pub by: Option<Actor>,
}

impl Via {
    /// What went off by itself.
    pub fn itself(what: impl Into<String>) -> Self {
        Self { what: what.into(), by: None }
    }
}

/// What happens to a run of an item.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEvent {
    /// A run of an item was queued, perhaps by the service.
    Queued(ItemKey, RunId, Option<Via>),
    /// A run went back to the queue.
    Returned(ItemKey, RunId),
    /// A runner took a run.
    Taken(ItemKey, RunId),
    /// The harness of a run started.
    Started(ItemKey, RunId),
    /// Somebody asked a run to stop that a runner holds.
    CancelRequested(ItemKey, RunId),
    /// A run ended.
    Ended(ItemKey, RunId, RunStatus),
    /// A failed run is to be continued by itself after a while.
    ContinuesLater(RunId, SignedDuration),
}

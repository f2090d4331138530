//! Events of runs.

use jiff::SignedDuration;

use crate::ids::{ItemKey, RunId};
use crate::run::RunStatus;

/// What happens to a run of an item.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEvent {
    /// A run of an item was queued.
    Queued(ItemKey, RunId),
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

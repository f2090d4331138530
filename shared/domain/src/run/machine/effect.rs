//! The effects of a run's transitions.

use jiff::{SignedDuration, Timestamp};

use crate::run::RunKind;

/// What a transition demands of the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Puts the run into the run queue.
    EnterQueue {
        /// From when it may be taken.
        available_at: Timestamp,
    },
    /// Takes the run out of the run queue.
    LeaveQueue {
        /// The time that it was queued for.
        available_at: Timestamp,
    },
    /// Notes that a runner has taken it.
    Hold,
    /// Notes that no runner has it.
    LetGo,
    /// Checks later whether the runner is still there.
    Watch,
    /// Keeps the run and its item's claim fresh.
    KeepAlive,
    /// Makes the agent token valid.
    IssueToken {
        /// SHA-256 of it, hex.
        hash: String,
    },
    /// Makes the agent token invalid.
    RevokeToken {
        /// SHA-256 of it, hex.
        hash: String,
    },
    /// Claims the item for the agent.
    ClaimItem,
    /// Releases the claim; the item stays the run's.
    UnclaimItem,
    /// Releases the claim, and the item is free for other runs.
    FreeItem,
    /// Links a pull request to the item.
    LinkPullRequest {
        /// Its address.
        url: String,
    },
    /// Leaves the outcome comment.
    PostOutcome,
    /// Tries to move the item.
    MoveItem {
        /// Name of the state.
        to: String,
    },
    /// Continues the run by itself after a while.
    ContinueLater {
        /// After how long.
        after: SignedDuration,
    },
    /// Queues another run that follows this one.
    QueueNext {
        /// Its kind.
        kind: RunKind,
    },
}

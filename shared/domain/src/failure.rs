//! Why runs fail: the closed set of reasons, their sentences, and which ones are worth another try
//! (specification section 7).
//!
//! | reason                      | raised by | continued automatically | resumable by Continue |
//! |-----------------------------|-----------|-------------------------|-----------------------|
//! | harness-unavailable         | runner    | no                      | no: it never started  |
//! | no-local-repository         | runner    | no                      | no: it never started  |
//! | no-remote                   | runner    | no                      | no: it never started  |
//! | workspace-failed            | runner    | no                      | no: Retry only        |
//! | runner-lost                 | service   | no                      | if it had started     |
//! | harness-rate-limited        | runner    | yes                     | yes                   |
//! | harness-transient           | runner    | yes                     | yes                   |
//! | harness-crashed             | runner    | yes                     | yes                   |
//! | harness-not-authenticated   | runner    | no                      | if it had started     |
//! | harness-model-unavailable   | runner    | no                      | if it had started     |
//! | harness-failed              | runner    | no                      | yes                   |
//! | nothing-delivered           | runner    | no                      | yes                   |
//! | session-unavailable         | both      | no                      | no: it never started  |
//! | follow-up-target-missing    | runner    | no                      | no: it never started  |
//! | budget-exceeded             | service   | no                      | yes                   |

use std::fmt;

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

/// Why a run failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureReason {
    /// The harness executable does not work on the runner's machine.
    HarnessUnavailable,
    /// The machine has no clone of the project's repository.
    NoLocalRepository,
    /// Direct delivery from a clone without a remote.
    NoRemote,
    /// The workspace could not be prepared.
    WorkspaceFailed,
    /// The runner stopped sending signs of life.
    RunnerLost,
    /// The harness's model API refused for a while.
    HarnessRateLimited,
    /// The harness's model API was overloaded or out of reach.
    HarnessTransient,
    /// The harness died.
    HarnessCrashed,
    /// The harness is not signed in.
    HarnessNotAuthenticated,
    /// The harness does not offer the requested model.
    HarnessModelUnavailable,
    /// The harness worked to its end and reported failure.
    HarnessFailed,
    /// The harness reported success, but no work reached the repository.
    NothingDelivered,
    /// The session to continue is gone.
    SessionUnavailable,
    /// The pull request or branch to follow up is gone.
    FollowUpTargetMissing,
    /// The run used more than it may.
    BudgetExceeded,
}

/// How often a failed run is continued without a person asking (specification section 3.2).
pub const MAX_AUTO_CONTINUES: u8 = 2;

impl FailureReason {
    /// The reason of this word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == word)
    }

    /// Every reason, in the order of the table.
    pub const ALL: [Self; 15] = [
        Self::HarnessUnavailable,
        Self::NoLocalRepository,
        Self::NoRemote,
        Self::WorkspaceFailed,
        Self::RunnerLost,
        Self::HarnessRateLimited,
        Self::HarnessTransient,
        Self::HarnessCrashed,
        Self::HarnessNotAuthenticated,
        Self::HarnessModelUnavailable,
        Self::HarnessFailed,
        Self::NothingDelivered,
        Self::SessionUnavailable,
        Self::FollowUpTargetMissing,
        Self::BudgetExceeded,
    ];

    /// The word for it, as stored and sent.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::HarnessUnavailable => "harness-unavailable",
            Self::NoLocalRepository => "no-local-repository",
            Self::NoRemote => "no-remote",
            Self::WorkspaceFailed => "workspace-failed",
            Self::RunnerLost => "runner-lost",
            Self::HarnessRateLimited => "harness-rate-limited",
            Self::HarnessTransient => "harness-transient",
            Self::HarnessCrashed => "harness-crashed",
            Self::HarnessNotAuthenticated => "harness-not-authenticated",
            Self::HarnessModelUnavailable => "harness-model-unavailable",
            Self::HarnessFailed => "harness-failed",
            Self::NothingDelivered => "nothing-delivered",
            Self::SessionUnavailable => "session-unavailable",
            Self::FollowUpTargetMissing => "follow-up-target-missing",
            Self::BudgetExceeded => "budget-exceeded",
        }
    }

    /// What was wrong and what to do, for a run that brought no sentence of its own.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::HarnessUnavailable => {
                "The harness does not work on the runner's machine. Install it, or add it to the PATH of the runner."
            }
            Self::NoLocalRepository => {
                "The runner has no local clone of the project's repository. Map one with `svc runner map`, or allow \
                the directory of the path hint with `svc runner root`."
            }
            Self::NoRemote => {
                "The clone has no remote named origin, which direct delivery pushes to. Add one."
            }
            Self::WorkspaceFailed => {
                "The workspace could not be prepared before the harness started. The log says why; fix that, \
                 then retry the run."
            }
            Self::RunnerLost => {
                "The runner was silent for too long. Check that its machine is up, then start the item again."
            }
            Self::HarnessRateLimited => "The harness ran into a rate limit of its model provider.",
            Self::HarnessTransient => "The model provider was overloaded or could not be reached.",
            Self::HarnessCrashed => "The harness crashed before it finished.",
            Self::HarnessNotAuthenticated => {
                "The harness is not signed in. Sign it in as the user that the runner runs as."
            }
            Self::HarnessModelUnavailable => {
                "The harness rejected the agent's model. Choose another one in the agent's settings."
            }
            Self::HarnessFailed => "The harness reported that it could not do the work.",
            Self::NothingDelivered => {
                "The harness reported success, but its commits are not in the repository's origin. The log says what \
                is missing."
            }
            Self::SessionUnavailable => {
                "The session to continue cannot be resumed: its runner is offline or gone, or its workspace \
                 was removed. Continue it once the runner is back, or retry it from a fresh checkout."
            }
            Self::FollowUpTargetMissing => "The pull request or branch to follow up cannot be found.",
            Self::BudgetExceeded => {
                "The run exceeded its budget. Continue it to give it the same budget again, or ask an Admin to raise \
                the budget."
            }
        }
    }

    /// After how long the run is continued by itself, when it was `done` times already.
    pub const fn continues_after(self, done: u8) -> Option<SignedDuration> {
        match self {
            Self::HarnessRateLimited | Self::HarnessTransient | Self::HarnessCrashed => match done {
                0 => Some(SignedDuration::from_mins(1)),
                1 => Some(SignedDuration::from_mins(5)),
                MAX_AUTO_CONTINUES.. => None,
            },
            Self::HarnessUnavailable
            | Self::NoLocalRepository
            | Self::NoRemote
            | Self::WorkspaceFailed
            | Self::RunnerLost
            | Self::HarnessNotAuthenticated
            | Self::HarnessModelUnavailable
            | Self::HarnessFailed
            | Self::NothingDelivered
            | Self::SessionUnavailable
            | Self::FollowUpTargetMissing
            | Self::BudgetExceeded => None,
        }
    }
}

impl fmt::Display for FailureReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::FailureReason;

    #[test]
    fn every_reason_with_what_follows_from_it() {
        let mut table = String::new();
        for reason in FailureReason::ALL {
            assert_eq!(serde_json::to_string(&reason).unwrap(), format!("\"{reason}\""));
            assert_eq!(FailureReason::of_word(reason.as_str()), Some(reason));
            let waits: Vec<String> = (0..4)
                .map(|done| reason.continues_after(done).map_or("-".to_owned(), |wait| format!("{wait:#}")))
                .collect();
            table += &format!("{:27} {:18} {}\n", reason.as_str(), waits.join(" "), reason.sentence());
        }
        insta::assert_snapshot!(table);
    }
}

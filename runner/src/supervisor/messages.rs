//! What goes into the supervisor and comes out of it.

use std::time::Duration;

use svc_api::runner::Assignment;

use crate::secret::Secret;

/// Time since the process began.
pub type Moment = Duration;

/// A registration as long as the process lives; a replaced secret is the same one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProfileId(pub u32);

/// What the supervisor must know of a profile in `runner.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileSpec {
    /// Address of the instance.
    pub url: String,
    /// Slug of the organization; empty while an older file is not known to belong to one.
    pub organization: String,
    /// Runner secret.
    pub token: Secret,
}

impl ProfileSpec {
    /// Whether two specs are one registration: that of an organization of an instance.
    pub fn is_same_as(&self, other: &Self) -> bool {
        let named = !self.organization.is_empty() && self.organization == other.organization;
        self.url == other.url && (named || self.token == other.token)
    }
}

/// What happened.
#[derive(Debug)]
pub enum Message {
    /// `runner.json` was read.
    Profiles(Vec<ProfileSpec>),
    /// The answer to `Hello`, and the secret that it was asked with.
    Hello(ProfileId, HelloAnswer, Secret),
    /// The answer to `Take`, and the secret that it was asked with.
    Take(ProfileId, TakeAnswer, Secret),
    /// `GiveBack` is done, or was given up.
    GaveBack,
    /// A run is over and has left nothing behind.
    RunEnded {
        /// Its id.
        run_id: String,
        /// Whether the instance refused the secret meanwhile.
        secret_refused: bool,
    },
    /// SIGINT or SIGTERM.
    Signal,
    /// The registry has a newer version, which may be installed.
    NewerVersion,
    /// `InstallUpdate` is done.
    UpdateEnded {
        /// Whether a newer version is there and works.
        installed: bool,
    },
    /// The time asked for by `next_wake` has come.
    Tick,
}

/// The answer to `hello`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelloAnswer {
    /// The secret is good.
    Accepted {
        /// How long a request for a run may wait.
        take_wait: Duration,
        /// From one request that brought nothing to the next.
        take_every: Duration,
    },
    /// The secret is disabled, deleted or rotated.
    Refused,
    /// No sensible answer.
    Unreachable,
}

/// The answer to `take`.
#[derive(Debug)]
pub enum TakeAnswer {
    /// A run.
    Run(Box<Assignment>),
    /// There was none.
    Nothing,
    /// The secret is disabled, deleted or rotated.
    Refused,
    /// The service will never answer this request otherwise.
    Rejected,
    /// No sensible answer.
    Unreachable,
}

/// What to do. Every command but `Exit` and the notices is answered by a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Say hello as this profile; remember how to reach it.
    Connect(ProfileId, ProfileSpec),
    /// Say hello again.
    Hello(ProfileId),
    /// Ask for a run.
    Take {
        /// As whom.
        profile: ProfileId,
        /// Same until it brings a run.
        request_id: String,
        /// How long the request may wait.
        wait: Duration,
    },
    /// Let the outstanding request for a run be answered now.
    StopWaiting(ProfileId),
    /// Give a run back to its queue.
    GiveBack {
        /// As whom.
        profile: ProfileId,
        /// The run.
        assignment: Box<Assignment>,
        /// Why.
        reason: &'static str,
    },
    /// Execute a run.
    StartRun {
        /// As whom.
        profile: ProfileId,
        /// The run.
        assignment: Box<Assignment>,
    },
    /// Stop a run.
    CancelRun(String),
    /// This profile's connection is no longer needed.
    Forget(ProfileId),
    /// Tell the person: the profile's secret was refused.
    TellRefused(ProfileId),
    /// Tell the person: claims nothing more and waits for so many runs.
    TellDraining(usize),
    /// Tell the person: cancels so many runs.
    TellCancelling(usize),
    /// Tell the person: claims nothing more and waits for so many runs, to install a newer version.
    TellUpdating(usize),
    /// Install the newer version.
    InstallUpdate,
    /// End the process.
    Exit(u8),
}

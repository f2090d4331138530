//! A run: one attempt to complete one item as one agent with one playbook (specification section 2.6).
//!
//! [`machine`] decides what becomes of it, [`settle`] what it does to its item, [`outcome`] what it says
//! there in the end, [`follow_up`] what one goes on from that a mention asks for; [`changes`] is what it changed, to be
//! looked at, and [`list`] is what lists are made of. What was decided when it was queued never changes afterwards.

pub mod artifacts;
pub mod changes;
pub mod follow_up;
mod last;
pub mod list;
pub mod machine;
pub mod numbers;
pub mod outcome;
mod report;
pub mod settle;
pub mod spending;
pub mod usage;
pub mod waiting;

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::budget::RunBudget;
use crate::code_host::RepositoryName;
use crate::failure::FailureReason;
use crate::harness::Harness;
use crate::ids::{
    Actor, ActorId, AgentId, CommentId, ItemKey, PlaybookId, RuleId, RunId, RunnerId, ScheduleId,
};
use crate::playbook::{Delivers, RepositorySource};
use crate::pull_request::FollowUp;
use crate::word::word_enum;

pub use last::LastRun;
pub use report::Report;
pub use usage::{Tokens, UsedSoFar};

/// Something named by another record: its id and the name it had then.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Named<Id> {
    /// Id.
    pub id: Id,
    /// Name.
    pub name: String,
}

word_enum! {
    /// Why a run exists.
    RunKind {
        /// Does the item's work.
        Implement = "implement",
        /// Improves the item's text.
        Refine = "refine",
        /// Resumes the harness session of an earlier run.
        Continue = "continue",
        /// Starts an earlier run over from a fresh checkout.
        Retry = "retry",
        /// Answers an agent mention, or mends a pull request.
        FollowUp = "followUp",
    }
}

word_enum! {
    /// State of a run in a word.
    RunStatus {
        /// Waits for a runner.
        Queued = "queued",
        /// A runner took it and prepares the workspace.
        Assigned = "assigned",
        /// The harness works.
        Running = "running",
        /// The harness reported success.
        Succeeded = "succeeded",
        /// The harness reported failure, or could not be run.
        Failed = "failed",
        /// It was stopped.
        Cancelled = "cancelled",
        /// It ran past its time limit.
        TimedOut = "timedOut",
    }
}

impl RunStatus {
    /// Whether the run has ended.
    pub const fn is_terminal(self) -> bool {
        match self {
            Self::Queued | Self::Assigned | Self::Running => false,
            Self::Succeeded | Self::Failed | Self::Cancelled | Self::TimedOut => true,
        }
    }
}

/// Where a run's result goes, captured when it was queued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "mode")]
pub enum Delivery {
    /// A branch and a pull request.
    BranchAndPullRequest,
    /// A push to this branch.
    PushToDefaultBranch {
        /// The branch.
        target: String,
    },
}

/// Where a run finds its repository, captured when it was queued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunRepository {
    /// Clone on the runner's machine, or code host.
    pub source: RepositorySource,
    /// The repository at the code host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<RepositoryName>,
    /// Directory that the clone may be in.
    pub path_hint: Option<String>,
    /// Branch that work starts from.
    pub default_branch: String,
}

/// A run as stored. Its version is the row's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Id.
    pub id: RunId,
    /// The item that it works on.
    pub item: ItemKey,
    /// Why it exists.
    pub kind: RunKind,
    /// The agent.
    pub agent: Named<AgentId>,
    /// Instructions used.
    pub playbook: Named<PlaybookId>,
    /// The only runner that may take it, as long as that runner exists.
    pub chosen_runner: Option<Named<RunnerId>>,
    /// Harness that executes it.
    pub harness: Harness,
    /// Whether a person chose that harness in place of the playbook's. Absent in runs from before one could.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub harness_is_chosen: bool,
    /// What it must leave to have succeeded. Absent in runs from before a playbook could say it.
    #[serde(default, skip_serializing_if = "Delivers::is_commit")]
    pub delivers: Delivers,
    /// Model to ask the harness for.
    pub model: Option<String>,
    /// The person that asked for it.
    pub requested_by: Actor,
    /// Branch that carries the work.
    pub branch: String,
    /// Where the result goes.
    pub delivery: Delivery,
    /// Where the repository is.
    pub repository: RunRepository,
    /// Minutes after which the harness is stopped.
    pub time_limit_minutes: u32,
    /// State that the item moves to on success.
    pub success_state: Option<String>,
    /// State that the item moves to on failure.
    pub failure_state: Option<String>,
    /// Start time asked for.
    pub scheduled_for: Option<Timestamp>,
    /// When it was queued.
    pub queued_at: Timestamp,
    /// Run that this one continues, retries or follows.
    pub earlier_run: Option<RunId>,
    /// Comment that asked for it.
    pub comment: Option<CommentId>,
    /// Session of the harness to resume.
    pub resume_session: Option<String>,
    /// Whether it improves the item's text: a refine run, or one that continues one.
    #[serde(default)]
    pub refines: bool,
    /// What a follow-up goes on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow_up: Option<FollowUp>,
    /// Rule that started it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleId>,
    /// Schedule that started it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<ScheduleId>,
    /// Playbooks of the runs that led here by rules, without a person in between.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rule_chain: Vec<PlaybookId>,
    /// What it may use; nothing is limited until a runner takes it.
    #[serde(default)]
    pub budget: RunBudget,
    /// Whether a person started it by hand, for now: then it does not wait for items that block its own. Absent in runs
    /// from before there were such items.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub despite_blockers: bool,
    /// How many automatic continues led here.
    pub auto_continues: u8,
    /// Number of the last assignment; 0 before the first.
    pub fence: u64,
    /// Every runner that ever took it: the only ones who may know of it.
    pub held_by: BTreeSet<RunnerId>,
    /// What happened to it.
    pub state: State,
}

/// What has become of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "status")]
pub enum State {
    /// It waits for a runner.
    Queued(Waiting),
    /// A runner took it and prepares the workspace.
    Assigned(Hold),
    /// The harness works.
    Running(Working),
    /// It is over.
    Ended(Box<Ended>),
}

/// A run that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Waiting {
    /// From when it may be taken.
    pub available_at: Timestamp,
}

/// That a runner has a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hold {
    /// The runner.
    pub runner: Named<RunnerId>,
    /// The request that it was handed over by; repeating that answers the same assignment.
    pub request: String,
    /// Since when.
    pub since: Timestamp,
    /// SHA-256 of the run's agent token, hex: the name of the credential's row.
    pub token_hash: String,
}

/// A run whose harness works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Working {
    /// The runner that it works on.
    pub hold: Hold,
    /// When the harness started.
    pub started_at: Timestamp,
    /// Session of the harness, where it is known up front.
    pub session: Option<String>,
}

/// A run that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ended {
    /// How it ended.
    pub ending: Ending,
    /// When.
    pub at: Timestamp,
    /// The runner that had it then.
    pub hold: Option<Hold>,
    /// When the harness started, if it did.
    pub started_at: Option<Timestamp>,
    /// What the runner reported.
    pub report: Report,
    /// Whether the runner may still speak.
    #[serde(rename = "door")]
    pub report_window: ReportWindow,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Ending {
    /// The harness reported success.
    Succeeded,
    /// It could not be done.
    Failed {
        /// Why.
        reason: FailureReason,
        /// Why, in a sentence about this run.
        detail: Option<String>,
    },
    /// It was stopped: by a person, or by the runner when it was told to shut down.
    Cancelled {
        /// The person.
        by: Option<Actor>,
    },
    /// The harness was stopped at the time limit.
    TimedOut,
}

/// Whether the runner of a run that is over may still speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ReportWindow {
    /// No: its fence has ended.
    Shut,
    /// It reported the end; repeating that is harmless.
    Heard,
    /// A person cancelled the run under it: it may deliver the rest of the log and its report until then.
    OpenUntil(Timestamp),
}

impl Run {
    /// Its state in a word.
    pub fn status(&self) -> RunStatus {
        match &self.state {
            State::Queued(_) => RunStatus::Queued,
            State::Assigned(_) => RunStatus::Assigned,
            State::Running(_) => RunStatus::Running,
            State::Ended(ended) => match &ended.ending {
                Ending::Succeeded => RunStatus::Succeeded,
                Ending::Failed { .. } => RunStatus::Failed,
                Ending::Cancelled { .. } => RunStatus::Cancelled,
                Ending::TimedOut => RunStatus::TimedOut,
            },
        }
    }

    /// The agent as an actor.
    pub fn actor(&self) -> Actor {
        Actor { id: ActorId::Agent(self.agent.id), name: self.agent.name.clone() }
    }

    /// Whether it improves the item's text and so never moves the item.
    pub fn is_refinement(&self) -> bool {
        self.refines || self.kind == RunKind::Refine
    }

    /// The runner that has it, or had it when it ended.
    pub fn hold(&self) -> Option<&Hold> {
        match &self.state {
            State::Queued(_) => None,
            State::Assigned(hold) => Some(hold),
            State::Running(working) => Some(&working.hold),
            State::Ended(ended) => ended.hold.as_ref(),
        }
    }

    /// When its harness started, if it did.
    pub fn started_at(&self) -> Option<Timestamp> {
        match &self.state {
            State::Queued(_) | State::Assigned(_) => None,
            State::Running(working) => Some(working.started_at),
            State::Ended(ended) => ended.started_at,
        }
    }

    /// The same having used at least this, as its last sign of life said.
    #[must_use]
    pub fn having_used(mut self, used: UsedSoFar) -> Self {
        if let State::Ended(ended) = &mut self.state {
            let said = UsedSoFar { tokens: ended.report.tokens, cost: ended.report.cost };
            let used = said.at_least(used);
            (ended.report.tokens, ended.report.cost) = (used.tokens, used.cost);
        }
        self
    }

    /// How and when it ended, if it did.
    pub fn ended(&self) -> Option<&Ended> {
        match &self.state {
            State::Ended(ended) => Some(ended),
            State::Queued(_) | State::Assigned(_) | State::Running(_) => None,
        }
    }

    /// Session of the harness, as far as it is known.
    pub fn session(&self) -> Option<&str> {
        match &self.state {
            State::Queued(_) | State::Assigned(_) => None,
            State::Running(working) => working.session.as_deref(),
            State::Ended(ended) => ended.report.session.as_deref(),
        }
    }

    /// When it is continued by itself, if it failed for a reason that passes. Does not know what happened since.
    pub fn continues_at(&self) -> Option<Timestamp> {
        let ended = self.ended()?;
        ended.started_at?;
        let Ending::Failed { reason, .. } = &ended.ending else { return None };
        ended.at.checked_add(reason.continues_after(self.auto_continues)?).ok()
    }

    /// Whether its runner must stop the harness.
    pub fn wants_stop(&self) -> bool {
        let stops = |ending: &Ending| match ending {
            Ending::Cancelled { .. } => true,
            Ending::Failed { reason, .. } => *reason == FailureReason::BudgetExceeded,
            Ending::Succeeded | Ending::TimedOut => false,
        };
        self.ended().is_some_and(|ended| stops(&ended.ending))
    }
}

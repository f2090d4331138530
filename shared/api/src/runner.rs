//! What a runner says to the service and is told (specification section 4.3).
//!
//! Every call about a run carries the run's `fence`, the number of its assignment. After give-back,
//! cancellation, loss or finish the old fence is refused with `assignment-ended`, and the runner stops.

mod finish;

pub use finish::{Finish, FinishResult};

use std::fmt;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::factory::{
    Delivers, DeliveryMode, Harness, LogStream, RepositorySource, RunChanges, RunKind, TokenCounts,
};
use crate::tracker::{ItemType, PullRequestState};

/// A runner introduces itself (`POST /runner/hello`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Hello {
    /// Random id of the machine; the same in every organization.
    pub machine_id: String,
    /// Local name of the machine.
    #[serde(default)]
    pub label: Option<String>,
    /// Version of the runner program.
    pub client_version: String,
    /// Operating system and architecture, such as `linux-x86_64`.
    pub platform: String,
    /// Harnesses found on the machine.
    pub harnesses: Vec<Harness>,
    /// How many runs it executes at once, 1 to 16.
    pub parallel: u32,
    /// Whether a service manager started it.
    #[serde(default)]
    pub service: bool,
    /// Whether the runner is stopping. It is then shown as offline until its next hello.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leaving: bool,
    /// Whether it takes no runs, because its disk is full.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disk_full: bool,
    /// Whether it only asks whether its secret works: nothing is noted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_asks: bool,
}

/// The answer to `hello`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HelloReply {
    /// Id of the runner.
    pub runner_id: String,
    /// Name given by the administrator.
    pub name: String,
    /// Slug of the organization that the secret belongs to.
    pub organization: String,
    /// Seconds between heartbeats of a run.
    pub heartbeat_seconds: u32,
    /// Seconds that `take` may wait for a run. With 0, the answer to a heartbeat is not held either.
    pub take_wait_seconds: u32,
    /// Seconds from one `take` that brought nothing to the next.
    #[serde(default = "one")]
    pub take_every_seconds: u32,
}

const fn one() -> u32 {
    1
}

/// Takes a run (`POST /runner/take`); 204 if there is none.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Take {
    /// Harnesses that can be started now.
    pub harnesses: Vec<Harness>,
    /// Seconds to wait for a run; clamped to the limit that `hello` answered.
    #[serde(default)]
    pub wait_seconds: u32,
    /// Id chosen by the runner for this request; repeating it answers the same assignment.
    pub request_id: String,
}

/// A run handed to a runner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Assignment {
    /// Id of the run.
    pub run_id: String,
    /// Number of this assignment; send it with every call about the run.
    pub fence: u64,
    /// Slug of the organization.
    pub organization: String,
    /// Key of the project.
    pub project: String,
    /// The item.
    pub item: AssignedItem,
    /// Kind of the run.
    pub kind: RunKind,
    /// Harness to start.
    pub harness: Harness,
    /// Model for it to use.
    #[serde(default)]
    #[schemars(example = &"opus")]
    pub model: Option<String>,
    /// Seconds after which the harness is stopped.
    pub time_limit_seconds: u64,
    /// The agent that makes the commits.
    pub agent: AssignedAgent,
    /// The run's own token: `SVC_TOKEN` of the harness. Revoked when the run ends.
    pub token: String,
    /// The prompt for the harness.
    #[schemars(example = &"You work on PRJ-12 …")]
    pub prompt: String,
    /// The repository.
    pub repository: Repository,
    /// Branch for the work.
    pub branch: String,
    /// Where the result goes.
    pub delivery_mode: DeliveryMode,
    /// What the run must leave to have succeeded; a commit where an older service does not say it.
    #[serde(default)]
    pub delivers: Delivers,
    /// Branch that direct delivery pushes to.
    #[serde(default)]
    pub direct_target: Option<String>,
    /// Session to resume, for a continue run.
    #[serde(default)]
    #[schemars(example = &"5f0c6c2e")]
    pub resume_session: Option<String>,
    /// Run whose workspace to continue in.
    #[serde(default)]
    pub earlier_run_id: Option<String>,
    /// Earlier work that a follow-up continues, on the run's branch, which must exist. Absent if no earlier branch is
    /// needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow_up: Option<AssignedFollowUp>,
}

/// The earlier work that a follow-up continues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssignedFollowUp {
    /// Pull request of the work, if one was opened. If it was merged or closed, start the new branch from the default
    /// branch.
    #[serde(default)]
    #[schemars(example = &"https://github.com/acme/greeter/pull/7")]
    pub pull_request: Option<String>,
    /// What the service knows of the pull request, for a runner that cannot ask the code host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pull_request_state: Option<PullRequestState>,
    /// Name of the new branch.
    #[schemars(example = &"prj-12-greet-visitors-a1b2c3")]
    pub new_branch: String,
}

/// The item of an assignment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssignedItem {
    /// Key.
    pub key: String,
    /// Kind of work.
    #[serde(rename = "type")]
    pub item_type: ItemType,
    /// Title.
    pub title: String,
}

/// The agent of an assignment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssignedAgent {
    /// Id.
    pub id: String,
    /// Name; author and committer of commits.
    pub name: String,
    /// Address used for commits.
    pub email: String,
}

/// The repository of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Repository {
    /// A clone on the runner's machine, or the code host.
    pub source: RepositorySource,
    /// For a clone on the runner's machine: directory where the clone may be.
    #[serde(default)]
    #[schemars(example = &"~/src/greeter")]
    pub path_hint: Option<String>,
    /// Branch that work starts from.
    pub default_branch: String,
    /// For the code host: the address to clone from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"https://github.com/acme/greeter.git")]
    pub clone_url: Option<String>,
    /// For the code host: the credential for the repository. Absent if the host did not answer in time; get
    /// one with `…/credential`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential: Option<RepositoryCredential>,
}

/// A short-lived credential for the repository of one run (`POST /runner/runs/{id}/credential`): to clone, to
/// push and to open pull requests.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepositoryCredential {
    /// User name for git over HTTP.
    #[schemars(example = &"x-access-token")]
    pub username: String,
    /// Password for git over HTTP, and token for the code host's command line.
    pub password: String,
    /// When it expires; get another one before then.
    pub expires_at: Timestamp,
}

impl fmt::Debug for RepositoryCredential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RepositoryCredential(until {})", self.expires_at)
    }
}

/// A run goes on (`POST /runner/runs/{id}/heartbeat`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Heartbeat {
    /// Number of the assignment.
    pub fence: u64,
    /// Seconds to hold the answer unless somebody cancels the run first; capped at the service's limit. Answers at
    /// once when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &15)]
    pub wait_seconds: Option<u32>,
    /// Tokens that the run has used so far, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<TokenCounts>,
    /// US dollars that the run has cost so far, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// A request with only the fence (`…/credential`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Fenced {
    /// Number of the assignment.
    pub fence: u64,
}

/// The harness started (`POST /runner/runs/{id}/start`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Started {
    /// Number of the assignment.
    pub fence: u64,
    /// Session of the harness, if it is known already.
    #[serde(default)]
    #[schemars(example = &"5f0c6c2e")]
    pub harness_session: Option<String>,
}

/// The state of the pull request that a run follows up on (`POST /runner/runs/{id}/pull-request`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PullRequestLookedUp {
    /// Number of the assignment.
    pub fence: u64,
    /// What happened to it.
    pub state: PullRequestState,
    /// Its newest commit, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"6dcb09b5b57875f334f61aebed695e2e4193db5e")]
    pub head: Option<String>,
}

/// The answer to `start` and `heartbeat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatReply {
    /// Stop the harness: a person cancelled the run, or it exceeded its budget. `finish` is still expected.
    pub cancel: bool,
}

/// A batch of log entries (`POST /runner/runs/{id}/log`). Repeating a batch is harmless.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AppendLog {
    /// Number of the assignment.
    pub fence: u64,
    /// The `seq` of the first entry; the others follow without gaps.
    pub first_seq: u64,
    /// At least one entry, at most 1,000, at most 1 MB of text.
    pub entries: Vec<NewLogEntry>,
    /// Whether the entries are from the end of a truncated log. The first such batch may leave a gap before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tail: bool,
}

/// A log entry to append; its `seq` follows from its place in the batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewLogEntry {
    /// When the runner read it.
    pub at: Timestamp,
    /// Where it came from.
    pub stream: LogStream,
    /// Text without its newline, redacted.
    pub text: String,
}

/// The answer to a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppendLogReply {
    /// The `seq` that the next batch begins with.
    pub next_seq: u64,
    /// Whether the log has reached its cap. If so, send only the last 256 KiB, with `tail`, when the run ends.
    pub truncated: bool,
    /// Stop the harness, as in a heartbeat's answer.
    pub cancel: bool,
}

/// Gives a run back to its queue before its harness started (`POST /runner/runs/{id}/give-back`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GiveBack {
    /// Number of the assignment.
    pub fence: u64,
    /// The reason, for the log.
    #[schemars(example = &"No local clone of the project.")]
    pub reason: String,
}

/// Reports what a run changed (`POST /runner/runs/{id}/changes`) before its finish. Repeating it is harmless; the
/// last report counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReportChanges {
    /// Number of the assignment.
    pub fence: u64,
    /// What it changed, with secrets removed.
    pub changes: RunChanges,
}

//! The factory as people see it: agents, runners, playbooks, runs and their logs (specification sections
//! 1.5, 2.4–2.6, 4.1).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Actor;
use crate::patch::Patch;

/// A resource named by another: its id and the name people know it by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ref {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
}

/// A supported coding harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Harness {
    /// Claude Code.
    #[serde(rename = "harness_1")]
    Harness1,
    /// Codex CLI.
    #[serde(rename = "harness_2")]
    Harness2,
    /// opencode.
    #[serde(rename = "harness_3")]
    Harness3,
    /// Cursor CLI.
    #[serde(rename = "harness_4")]
    Harness4,
    /// GitHub Copilot CLI.
    #[serde(rename = "harness_5")]
    Harness5,
    /// A harness that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// A bot identity that works on items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    /// Id.
    pub id: String,
    /// Name shown to others; mentioned as `@name`.
    pub name: String,
    /// The person who owns it.
    pub owner: Actor,
    /// Model to ask the harness for; the harness's own default when absent.
    #[serde(default)]
    pub model: Option<String>,
    /// A disabled agent takes no new runs.
    pub disabled: bool,
    /// Current version.
    pub version: u64,
}

/// Creates an agent (`POST /orgs/{slug}/agents`). The caller owns it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewAgent {
    /// 1 to 60 characters on one line, unique in the organization whatever the case.
    pub name: String,
    /// Model to ask the harness for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// Changes an agent (`PATCH /orgs/{slug}/agents/{id}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateAgent {
    /// The version last read.
    pub version: u64,
    /// New name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// New model; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub model: Patch<String>,
    /// Disables or enables it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<bool>,
}

/// A machine that executes runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Runner {
    /// Id.
    pub id: String,
    /// Name given by the administrator.
    pub name: String,
    /// Whether it was heard of within the last minute.
    pub online: bool,
    /// A disabled runner is refused.
    pub disabled: bool,
    /// Harnesses found on the machine.
    #[serde(default)]
    pub harnesses: Vec<Harness>,
    /// Version of the runner program.
    #[serde(default)]
    pub client_version: Option<String>,
    /// Operating system and architecture.
    #[serde(default)]
    pub platform: Option<String>,
    /// Random id of the machine; the same in every organization.
    #[serde(default)]
    pub machine_id: Option<String>,
    /// Name that the machine gave itself.
    #[serde(default)]
    pub label: Option<String>,
    /// Whether a service manager started it.
    #[serde(default)]
    pub service: bool,
    /// How many runs it does at once.
    #[serde(default)]
    pub parallel: u32,
    /// When it was last heard of.
    #[serde(default)]
    pub last_seen_at: Option<Timestamp>,
    /// Current version.
    pub version: u64,
}

/// Creates a runner and its secret (`POST /orgs/{slug}/runners`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewRunner {
    /// 1 to 60 characters on one line, unique in the organization whatever the case.
    pub name: String,
}

/// A runner with its new secret, which is shown this once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunnerSecret {
    /// The runner.
    pub runner: Runner,
    /// Starts with `jrn_`; give it to `svc runner register --token`.
    pub secret: String,
}

/// Changes a runner (`PATCH /orgs/{slug}/runners/{id}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateRunner {
    /// The version last read.
    pub version: u64,
    /// New name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Disables or enables it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled: Option<bool>,
}

/// Where a run's result goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeliveryMode {
    /// A branch and a pull request.
    BranchAndPullRequest,
    /// A push to the project's default branch.
    PushToDefaultBranch,
    /// A mode that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Reusable instructions for runs in a project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Playbook {
    /// Id.
    pub id: String,
    /// Name; its page in the wiki's Factory section has the same.
    pub name: String,
    /// Path of the page that holds the instructions.
    pub page_path: String,
    /// Instructions, Markdown; absent for those who may not read the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// Harness that executes it.
    pub harness: Harness,
    /// Minutes after which a run is stopped.
    pub time_limit_minutes: u32,
    /// State that the item moves to when a run succeeds.
    #[serde(default)]
    pub success_state: Option<String>,
    /// State that the item moves to when a run fails.
    #[serde(default)]
    pub failure_state: Option<String>,
    /// Where the result goes.
    pub delivery_mode: DeliveryMode,
    /// Whether it is used where a caller names none.
    pub project_default: bool,
    /// Current version.
    pub version: u64,
}

/// Creates a playbook (`POST …/projects/{key}/playbooks`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewPlaybook {
    /// 1 to 80 characters without `/`, unique in the project whatever the case.
    pub name: String,
    /// Instructions, Markdown; become the first version of the page `Factory/<name>`.
    pub instructions: String,
    /// Harness that executes it.
    pub harness: Harness,
    /// 1 to 1440; 60 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit_minutes: Option<u32>,
    /// State that the item moves to when a run succeeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success_state: Option<String>,
    /// State that the item moves to when a run fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_state: Option<String>,
    /// Branch and pull request when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery_mode: Option<DeliveryMode>,
    /// Makes it the project default.
    #[serde(default)]
    pub project_default: bool,
}

/// Changes a playbook (`PATCH …/playbooks/{id}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdatePlaybook {
    /// The version last read.
    pub version: u64,
    /// New instructions: a new version of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// New harness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness: Option<Harness>,
    /// New time limit, 1 to 1440 minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit_minutes: Option<u32>,
    /// New success state; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub success_state: Patch<String>,
    /// New failure state; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub failure_state: Patch<String>,
    /// New delivery mode; affects future runs only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery_mode: Option<DeliveryMode>,
    /// Makes it the project default, or no longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_default: Option<bool>,
}

/// Where runs find a project's repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum RepositorySource {
    /// A clone on the runner's machine.
    RunnerLocal,
    /// A code-hosting binding.
    CodeHost,
    /// A source that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Factory settings of a project (`GET …/factory-settings`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FactorySettings {
    /// Current version.
    pub version: u64,
    /// Where runs find the repository.
    pub repository_source: RepositorySource,
    /// Directory that runners may find the clone in.
    #[serde(default)]
    pub path_hint: Option<String>,
    /// Branch that work starts from.
    pub default_branch: String,
    /// Agent used where a caller names none.
    #[serde(default)]
    pub default_agent: Option<Ref>,
    /// Playbook used where a caller names none.
    #[serde(default)]
    pub default_playbook: Option<Ref>,
}

/// Changes the factory settings of a project (`PATCH …/factory-settings`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateFactorySettings {
    /// The version last read.
    pub version: u64,
    /// New path hint; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub path_hint: Patch<String>,
    /// New default branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_branch: Option<String>,
    /// Id of the new default agent; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub default_agent: Patch<String>,
    /// Id of the new default playbook; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub default_playbook: Patch<String>,
}

/// State of a run (specification section 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum RunStatus {
    /// Waits for a runner.
    Queued,
    /// A runner took it and prepares the workspace.
    Assigned,
    /// The harness works.
    Running,
    /// The harness reported success.
    Succeeded,
    /// The harness reported failure, or could not be run.
    Failed,
    /// A person stopped it.
    Cancelled,
    /// It ran past its time limit.
    TimedOut,
    /// A state that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

impl RunStatus {
    /// Whether the run has ended.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Cancelled | Self::TimedOut)
    }
}

/// Why a run exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum RunKind {
    /// Does the item's work.
    Implement,
    /// Improves the item's text.
    Refine,
    /// Resumes the harness session of an earlier run.
    Continue,
    /// Starts an earlier run over from a fresh checkout.
    Retry,
    /// Answers an agent mention.
    FollowUp,
    /// A kind that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Tokens that a run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenCounts {
    /// Sent to the model.
    pub input: u64,
    /// Written by the model.
    pub output: u64,
    /// Read from the provider's cache.
    #[serde(default)]
    pub cache_read: u64,
    /// Written to the provider's cache.
    #[serde(default)]
    pub cache_write: u64,
}

/// One attempt to complete one item as one agent with one playbook (specification section 2.6).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Id.
    pub id: String,
    /// Slug of the organization.
    pub organization: String,
    /// Key of the project.
    pub project: String,
    /// Key of the item.
    pub item: String,
    /// Why the run exists.
    pub kind: RunKind,
    /// State.
    pub status: RunStatus,
    /// Who works.
    pub agent: Ref,
    /// Instructions used.
    pub playbook: Ref,
    /// Machine that took it.
    #[serde(default)]
    pub runner: Option<Ref>,
    /// Harness that executes it.
    pub harness: Harness,
    /// Who asked for it.
    pub requested_by: Actor,
    /// Branch that carries the work.
    pub branch: String,
    /// Where the result goes; captured when the run was queued.
    pub delivery_mode: DeliveryMode,
    /// Branch pushed to with direct delivery; captured when the run was queued.
    #[serde(default)]
    pub direct_target: Option<String>,
    /// Start time asked for, UTC.
    #[serde(default)]
    pub scheduled_for: Option<Timestamp>,
    /// When it was queued.
    pub queued_at: Timestamp,
    /// When a runner took it.
    #[serde(default)]
    pub assigned_at: Option<Timestamp>,
    /// When the harness started.
    #[serde(default)]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    #[serde(default)]
    pub finished_at: Option<Timestamp>,
    /// For a queued run: what it waits for, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_reason: Option<String>,
    /// What came of it, in the agent's words.
    #[serde(default)]
    pub outcome: Option<String>,
    /// Pull request that carries the work.
    #[serde(default)]
    pub pull_request: Option<String>,
    /// Exit code of the harness.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// Cost reported by the harness, US dollars.
    #[serde(default)]
    pub cost: Option<f64>,
    /// Tokens reported by the harness.
    #[serde(default)]
    pub tokens: Option<TokenCounts>,
    /// Run that this one continues, retries or follows.
    #[serde(default)]
    pub earlier_run: Option<String>,
    /// Comment that asked for it.
    #[serde(default)]
    pub comment: Option<String>,
    /// Factory operators only: prompt given to the harness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_snapshot: Option<String>,
    /// Factory operators only: machine-readable reason of a failure (specification section 7).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<String>,
    /// Factory operators only: the reason in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_detail: Option<String>,
    /// Factory operators only: session of the harness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness_session: Option<String>,
    /// Current version.
    pub version: u64,
}

/// Starts a run (`POST …/items/{key}/runs`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartRun {
    /// Id or name of a playbook of the project; the project's default when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playbook: Option<String>,
    /// Id or name of an agent; the project's default, or the organization's only one, when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Id or name of the runner that shall take it; any when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner: Option<String>,
    /// Start time with offset; must not be in the past. At once when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduled_for: Option<Timestamp>,
}

/// Query of a run list (`GET /orgs/{slug}/runs`), newest first.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunQuery {
    /// Key of a project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// One of the run states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Id of an agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Key of an item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// One-based page number; 1 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Entries per page; 50 when absent, at most 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_size: Option<u32>,
}

/// Query of a run's log (`GET /runs/{id}/log`).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogQuery {
    /// Answer entries whose `seq` is greater; all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
}

/// A page of a run's log. Ask again with `after = nextAfter` until it answers no entries and the run has
/// ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogPage {
    /// Entries in the order of `seq`; at most about 1 MB of text.
    pub entries: Vec<LogEntry>,
    /// Whether the log was capped: entries after the last are lost.
    pub truncated: bool,
    /// The `seq` to ask after next.
    pub next_after: u64,
}

/// One entry of a run's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogEntry {
    /// Number of the entry, increasing from 1 without gaps.
    pub seq: u64,
    /// When it was read.
    pub at: Timestamp,
    /// Where it came from.
    pub stream: LogStream,
    /// Text without its newline.
    pub text: String,
}

/// Where a log entry came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum LogStream {
    /// Standard output of the harness, made readable.
    Stdout,
    /// Standard error of the harness.
    Stderr,
    /// Something that the runner or the harness says about the run.
    Event,
    /// A stream that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

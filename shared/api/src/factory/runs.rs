//! Runs (specification section 2.6).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DeliveryMode, Harness, Ref};
use crate::identity::Actor;

/// State of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum RunStatus {
    /// Waits for a runner.
    Queued,
    /// A runner took it and prepares the workspace.
    Assigned,
    /// The harness is at work.
    Running,
    /// The harness reported success.
    Succeeded,
    /// The harness reported failure or could not run.
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

/// Kind of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum RunKind {
    /// Does the work of the item.
    Implement,
    /// Improves the item's text.
    Refine,
    /// Continues the harness session of an earlier run.
    Continue,
    /// Starts an earlier run over from a fresh checkout.
    Retry,
    /// Answers a comment that mentions the agent.
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

/// One attempt to complete one item as one agent with one playbook.
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
    /// Kind of the run.
    pub kind: RunKind,
    /// State.
    pub status: RunStatus,
    /// The agent.
    pub agent: Ref,
    /// The playbook.
    pub playbook: Ref,
    /// The runner that took it.
    #[serde(default)]
    pub runner: Option<Ref>,
    /// Harness that executes it.
    pub harness: Harness,
    /// Who requested it.
    pub requested_by: Actor,
    /// Branch with the work.
    pub branch: String,
    /// Where the result goes; fixed when the run was queued.
    pub delivery_mode: DeliveryMode,
    /// Branch that direct delivery pushes to; fixed when the run was queued.
    #[serde(default)]
    pub direct_target: Option<String>,
    /// Requested start time, UTC.
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
    /// For a queued run: the reason why it waits, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"No runner is online.")]
    pub waiting_reason: Option<String>,
    /// When the service will continue it, if it just failed for a temporary reason. Absent once somebody has
    /// continued or retried it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues_at: Option<Timestamp>,
    /// Its outcome: in the agent's words for factory operators, in the service's words for everyone else.
    #[serde(default)]
    #[schemars(example = &"Visitors are greeted by name.")]
    pub outcome: Option<String>,
    /// Pull request with the work.
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
    /// Comment that requested it.
    #[serde(default)]
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub comment: Option<String>,
    /// Factory operators only: prompt given to the harness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"You work on PRJ-12 …")]
    pub prompt_snapshot: Option<String>,
    /// Factory operators only: machine-readable reason of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = Run::FAILURE_REASONS))]
    pub failure_reason: Option<String>,
    /// Factory operators only: the reason in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"The harness was not signed in.")]
    pub failure_detail: Option<String>,
    /// Factory operators only: session of the harness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"5f0c6c2e")]
    pub harness_session: Option<String>,
    /// Current version.
    pub version: u64,
}

impl Run {
    /// Every `failureReason` of this version of the API. A later one may know more.
    pub const FAILURE_REASONS: &[&str] = &[
        "harness-unavailable",
        "no-local-repository",
        "no-remote",
        "workspace-failed",
        "runner-lost",
        "harness-rate-limited",
        "harness-transient",
        "harness-crashed",
        "harness-not-authenticated",
        "harness-model-unavailable",
        "harness-failed",
        "nothing-delivered",
        "session-unavailable",
        "follow-up-target-missing",
        "budget-exceeded",
    ];
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
    /// Id or name of the runner to use; any runner when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner: Option<String>,
    /// Harness to use; the playbook's when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness: Option<Harness>,
    /// Start time with offset, not in the past; starts at once when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduled_for: Option<Timestamp>,
}

/// A preview of a run that is not started (`POST …/items/{key}/runs/preview`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunPreview {
    /// Whether a runner would take it at once.
    pub starts_now: bool,
    /// The runner that would take it.
    #[serde(default)]
    pub runner: Option<Ref>,
    /// What it would wait for, in a sentence.
    #[serde(default)]
    #[schemars(example = &"No runner is online.")]
    pub waiting_reason: Option<String>,
    /// Keys of the open items that block the item, as far as you can see them. A run that a person starts for now
    /// begins anyway; a scheduled run waits for them.
    #[serde(default)]
    pub blocked_by: Vec<String>,
    /// The agent.
    pub agent: Ref,
    /// The playbook.
    pub playbook: Ref,
    /// Harness that would execute it.
    pub harness: Harness,
    /// Branch that would carry the work.
    #[schemars(example = &"prj-12-greet-visitors")]
    pub branch: String,
    /// Where the result would go.
    pub delivery_mode: DeliveryMode,
    /// When it may start; absent if it may start at once.
    #[serde(default)]
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
    #[serde(default, deserialize_with = "crate::page::clamped", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::page::any_integer")]
    pub page: Option<u32>,
    /// Entries per page; 50 when absent, at most 100.
    #[serde(default, deserialize_with = "crate::page::clamped", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::page::any_integer")]
    pub page_size: Option<u32>,
}

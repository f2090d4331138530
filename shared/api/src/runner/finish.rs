//! How a runner reports the end of a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::factory::TokenCounts;

/// How a harness ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum FinishResult {
    /// It reported success.
    Succeeded,
    /// It reported failure or could not run.
    Failed,
    /// The runner stopped it at the time limit.
    TimedOut,
    /// The runner stopped it on request.
    Cancelled,
    /// A result that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// The run is over (`POST /runner/runs/{id}/finish`). Repeating it is harmless.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Finish {
    /// Number of the assignment.
    pub fence: u64,
    /// How it ended.
    pub result: FinishResult,
    /// Reason of a failure; required when it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<String>,
    /// The reason in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"The harness was not signed in.")]
    pub failure_detail: Option<String>,
    /// The outcome, in the agent's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"Visitors are greeted by name.")]
    pub outcome: Option<String>,
    /// Exit code of the harness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Pull request with the work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pull_request: Option<String>,
    /// Branch that was pushed; absent if none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pushed_branch: Option<String>,
    /// Last commit in the checkout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_head: Option<String>,
    /// Commit of the branch at origin, as the runner last saw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote_head: Option<String>,
    /// Cost reported by the harness, US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Tokens reported by the harness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<TokenCounts>,
    /// Session of the harness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"5f0c6c2e")]
    pub harness_session: Option<String>,
}

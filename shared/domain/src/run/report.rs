//! What a runner reports of a run that is over.

use serde::{Deserialize, Serialize};

use super::usage::Tokens;

/// What a runner reports of a run that is over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Report {
    /// What came of it, in the agent's words.
    pub outcome: Option<String>,
    /// Exit code of the harness.
    pub exit_code: Option<i32>,
    /// Pull request that carries the work.
    pub pull_request: Option<String>,
    /// Branch that was pushed.
    pub pushed_branch: Option<String>,
    /// Cost, US dollars.
    pub cost: Option<f64>,
    /// Tokens used.
    pub tokens: Option<Tokens>,
    /// Session of the harness.
    pub session: Option<String>,
}

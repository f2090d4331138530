//! Budgets: limits on what agents may use, and what is used of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ref;
use crate::patch::Patch;

/// The budgets of an organization (`GET /orgs/{slug}/budgets`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Budgets {
    /// Current version; 0 while nothing was ever set.
    pub version: u64,
    /// The organization's, then those of projects and of agents.
    pub budgets: Vec<Budget>,
}

/// A budget of the organization, unless it names a project or an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Budget {
    /// Key of the project that it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"PRJ")]
    pub project: Option<String>,
    /// The agent that it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Ref>,
    /// Its limits.
    pub limits: BudgetLimits,
    /// What is used today, from midnight UTC.
    pub used: BudgetUse,
    /// What is left of each daily limit today, and of runs at once.
    pub left: BudgetLeft,
}

/// Limits; absent fields are not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BudgetLimits {
    /// Runs that runners hold at the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs_at_once: Option<u64>,
    /// Runs that begin per day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs_a_day: Option<u64>,
    /// Minutes of runs per day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes_a_day: Option<u64>,
    /// Tokens to and from models per day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_a_day: Option<u64>,
    /// US dollars per day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_a_day: Option<f64>,
    /// Minutes per run, from the start of its harness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes_a_run: Option<u64>,
    /// Tokens per run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_a_run: Option<u64>,
    /// US dollars per run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_a_run: Option<f64>,
}

/// What is used of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BudgetUse {
    /// Runs that runners hold.
    pub runs_at_once: u64,
    /// Runs that began today.
    pub runs_a_day: u64,
    /// Minutes of runs today, including runs at work.
    pub minutes_a_day: u64,
    /// Tokens of runs that ended today.
    pub tokens_a_day: u64,
    /// US dollars of runs that ended today.
    pub cost_a_day: f64,
}

/// What is left of a budget; absent fields are not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BudgetLeft {
    /// Runs that may begin now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs_at_once: Option<u64>,
    /// Runs that may begin today.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs_a_day: Option<u64>,
    /// Minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes_a_day: Option<u64>,
    /// Tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_a_day: Option<u64>,
    /// US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_a_day: Option<f64>,
}

/// Changes one budget (`PATCH /orgs/{slug}/budgets`): the organization's, unless a project or an agent is named.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({"version": 0, "project": "PRJ", "runsAtOnce": 2, "costADay": 50.0}))]
pub struct UpdateBudget {
    /// The version last read.
    pub version: u64,
    /// Key of the project that the budget is for.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", example = &"PRJ")]
    pub project: Option<String>,
    /// Id or name of the agent that the budget is for.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", example = &"Robin")]
    pub agent: Option<String>,
    /// Runs that runners hold at the same time; `null` clears the limit.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub runs_at_once: Patch<u64>,
    /// Runs that begin per day; `null` clears the limit.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub runs_a_day: Patch<u64>,
    /// Minutes of runs per day; `null` clears the limit.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub minutes_a_day: Patch<u64>,
    /// Tokens to and from models per day; `null` clears the limit.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub tokens_a_day: Patch<u64>,
    /// US dollars per day; `null` clears the limit.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub cost_a_day: Patch<f64>,
    /// Minutes per run, from the start of its harness; `null` clears the limit.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub minutes_a_run: Patch<u64>,
    /// Tokens per run; `null` clears the limit.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub tokens_a_run: Patch<u64>,
    /// US dollars per run; `null` clears the limit.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub cost_a_run: Patch<f64>,
}

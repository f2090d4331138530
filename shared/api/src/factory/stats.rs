//! Numbers of the factory.

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What runs are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum GroupBy {
    /// The day on which they ended, in UTC.
    Day,
    /// The project.
    Project,
    /// The agent.
    Agent,
    /// The playbook.
    Playbook,
    /// The harness.
    Harness,
    /// The model that the harness was asked for.
    Model,
    /// A word that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Query of the numbers (`GET /orgs/{slug}/factory-stats`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatsQuery {
    /// Start of the period, with offset; 30 days before its end when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// End of the period, with offset; now when absent. At most a year after its start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Key of a project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// What to group by: `day` (the default), `project`, `agent`, `playbook`, `harness` or `model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// `true` to also get the statistics of each week of each group. Has no effect on days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weekly: Option<bool>,
}

/// Statistics of the runs that ended in a period, in the projects whose factory the caller may see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FactoryStats {
    /// Start of the period.
    pub from: Timestamp,
    /// End of the period.
    pub until: Timestamp,
    /// What the runs are grouped by.
    pub by: GroupBy,
    /// All runs together.
    pub total: RunNumbers,
    /// The groups: days in order, others by name.
    pub groups: Vec<StatsGroup>,
}

/// A group of runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatsGroup {
    /// What its runs have in common: a day, a project key, the id of an agent or playbook, a harness, or a model, which
    /// is empty for runs whose harness chose it.
    #[schemars(example = &"2026-03-01")]
    pub key: String,
    /// Name to show for the key.
    #[schemars(example = &"2026-03-01")]
    pub name: String,
    /// Their statistics.
    pub numbers: RunNumbers,
    /// The same for each week in which any of them ended, oldest first. Absent unless `weekly` was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weeks: Vec<WeekOfRuns>,
}

/// Statistics of the runs of a week.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeekOfRuns {
    /// Its Monday.
    pub begins: Date,
    /// The statistics of the runs that ended in it.
    pub numbers: RunNumbers,
}

/// Statistics of runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunNumbers {
    /// How many ended.
    pub runs: u64,
    /// How many succeeded.
    pub succeeded: u64,
    /// How many failed.
    pub failed: u64,
    /// How many were cancelled.
    pub cancelled: u64,
    /// How many ran past their time limit.
    pub timed_out: u64,
    /// Percentage of runs that succeeded, not counting cancelled ones.
    #[serde(default)]
    pub success_percent: Option<f64>,
    /// Cost in US dollars, as far as harnesses reported it.
    pub cost: f64,
    /// Tokens sent to models.
    pub input_tokens: u64,
    /// Tokens written by models.
    pub output_tokens: u64,
    /// Median of the seconds that they waited for a runner.
    #[serde(default)]
    pub queue_median_seconds: Option<u64>,
    /// 95th percentile of the seconds that they waited for a runner.
    #[serde(default)]
    pub queue_p95_seconds: Option<u64>,
    /// Median of the seconds that the harness worked.
    #[serde(default)]
    pub run_median_seconds: Option<u64>,
    /// 95th percentile of the seconds that the harness worked.
    #[serde(default)]
    pub run_p95_seconds: Option<u64>,
    /// How many took up work that an earlier run had left: retries, continued runs and follow-ups.
    #[serde(default)]
    pub rework: u64,
    /// Median of the seconds from the end of a successful run until its item was resolved, for the last run of each item.
    #[serde(default)]
    pub review_median_seconds: Option<u64>,
}

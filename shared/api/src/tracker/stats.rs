//! Numbers of a project's work.

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Actor;

/// Query of the numbers of a project (`GET …/projects/{key}/stats`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectStatsQuery {
    /// How many weeks, this one included: 12 when absent, at most 52.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weeks: Option<u32>,
    /// Id of a milestone, to count its items only. Velocity remains that of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milestone: Option<String>,
}

/// Statistics of a project. Days are in UTC, and subtasks count as part of their item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectStats {
    /// First day, a Monday.
    pub from: Date,
    /// Last day, today.
    pub until: Date,
    /// What happened each week, oldest first.
    pub weeks: Vec<WeekStats>,
    /// From creation to resolution, for items resolved in this period; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead_time: Option<DurationStats>,
    /// From leaving the backlog to resolution, for the same items; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle_time: Option<DurationStats>,
    /// The last 10 completed sprints, last completed first.
    pub velocity: Vec<SprintVelocity>,
}

/// What happened in a week.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeekStats {
    /// Its Monday.
    pub begins: Date,
    /// How many items were created.
    pub created: u64,
    /// How many items were resolved.
    pub resolved: u64,
    /// How many items had not been started at its end.
    #[serde(default)]
    pub backlog: u64,
    /// How many items had been started and not resolved at its end.
    #[serde(default)]
    pub active: u64,
    /// How many items had been resolved at its end, by now or in the years before.
    #[serde(default)]
    pub done: u64,
    /// From leaving the backlog to resolution, for items resolved in this week; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle_time: Option<DurationStats>,
}

/// How far a project is, for the overview of an organization (`GET /orgs/{slug}/project-overviews`). Subtasks count as
/// part of their item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectOverview {
    /// Key of the project.
    #[schemars(example = &"PRJ")]
    pub key: String,
    /// Items not begun.
    pub backlog: u64,
    /// Items being worked on.
    pub active: u64,
    /// Items in a state of the group `resolved`.
    pub resolved: u64,
    /// Items in a state of the group `closed`.
    pub closed: u64,
    /// How many items were resolved in each of the last 12 weeks, oldest first. The last one is this week.
    pub throughput: Vec<u64>,
    /// When an item last changed; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_at: Option<Timestamp>,
    /// People to whom recently changed items are assigned, at most 5, those with the most items first.
    pub people: Vec<Actor>,
    /// Agents that work on recently changed items or worked on them last, at most 5, those with the most items first.
    pub agents: Vec<Actor>,
}

/// How long items took, in hours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DurationStats {
    /// How many items.
    pub items: u64,
    /// Half of the items took no longer.
    pub median_hours: f64,
    /// 85 of 100 items took no longer.
    pub p85_hours: f64,
    /// 95 of 100 items took no longer.
    pub p95_hours: f64,
}

/// What a team finished in a sprint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SprintVelocity {
    /// Id of the sprint.
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub sprint: String,
    /// Its name.
    pub name: String,
    /// Key of its team.
    #[schemars(example = &"web")]
    pub team: String,
    /// When it was completed.
    pub completed_at: Timestamp,
    /// How many items were planned in it at its end.
    pub items: u64,
    /// How many of them were finished.
    pub finished: u64,
    /// Sum of their estimates.
    pub estimate: f64,
    /// Sum of the estimates minus the remaining effort.
    pub done: f64,
}

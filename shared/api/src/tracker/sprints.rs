//! Sprints of a team, their taskboard and their burndown (specification sections 2.2 and 4.2).

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BulkFields, Item, StateGroup, TeamRef};
use crate::identity::Actor;
use crate::patch::Patch;

/// A sprint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sprint {
    /// Id.
    pub id: String,
    /// Key of its project.
    pub project: String,
    /// Its team.
    pub team: TeamRef,
    /// Name.
    pub name: String,
    /// The goal.
    #[serde(default)]
    #[schemars(example = &"Everybody is greeted by name.")]
    pub goal: String,
    /// First day.
    #[serde(default)]
    pub start: Option<Date>,
    /// Last day.
    #[serde(default)]
    pub end: Option<Date>,
    /// Capacity of the team in it, in the unit of estimates.
    #[serde(default)]
    pub capacity: Option<f64>,
    /// State.
    pub state: SprintState,
    /// The work in it; for a completed sprint, the work in it at its end.
    pub work: Work,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was started.
    #[serde(default)]
    pub started_at: Option<Timestamp>,
    /// How it ended.
    #[serde(default)]
    pub completion: Option<SprintCompletion>,
    /// Current version.
    pub version: u64,
}

/// State of a sprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SprintState {
    /// Not started yet.
    Planned,
    /// In progress; a team has at most one.
    Active,
    /// Completed.
    Completed,
    /// A state that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// How a sprint ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SprintCompletion {
    /// When it ended.
    pub at: Timestamp,
    /// Who completed it.
    pub by: Actor,
    /// Id of the sprint that unfinished items moved to; `null` for the backlog.
    #[serde(default)]
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub unfinished_to: Option<String>,
}

/// Amounts of work. An item whose subtasks are there too and have numbers counts with their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Work {
    /// Number of items; subtasks count as part of their item.
    pub items: u64,
    /// How many of them are neither resolved nor closed.
    pub unfinished: u64,
    /// Sum of the estimates.
    pub estimate: f64,
    /// Sum of the remaining effort of unfinished items: `remaining`, or the estimate if that is not given.
    pub remaining: f64,
}

/// Creates a sprint (`POST …/projects/{key}/sprints`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewSprint {
    /// Key or id of a team of the project.
    #[schemars(example = &"web")]
    pub team: String,
    /// 1 to 100 characters on one line.
    #[schemars(example = &"Sprint 12")]
    pub name: String,
    /// The goal, at most 2,000 characters.
    #[serde(default)]
    #[schemars(example = &"Everybody is greeted by name.")]
    pub goal: String,
    /// First day.
    #[serde(default, deserialize_with = "crate::day::optional", skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"2026-01-05")]
    pub start: Option<Date>,
    /// Last day, not before the first; at most 366 days in all.
    #[serde(default, deserialize_with = "crate::day::optional", skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"2026-01-16")]
    pub end: Option<Date>,
    /// Capacity of the team in it, in the unit of estimates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<f64>,
}

/// Changes a sprint that is not completed (`PATCH /orgs/{slug}/sprints/{id}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateSprint {
    /// The version last read.
    pub version: u64,
    /// New name.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// New goal.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    #[schemars(example = &"Everybody is greeted by name.")]
    pub goal: Option<String>,
    /// New first day; `null` clears it.
    #[serde(default, deserialize_with = "crate::day::patch", skip_serializing_if = "Patch::is_keep")]
    pub start: Patch<Date>,
    /// New last day; `null` clears it.
    #[serde(default, deserialize_with = "crate::day::patch", skip_serializing_if = "Patch::is_keep")]
    pub end: Patch<Date>,
    /// New capacity; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub capacity: Patch<f64>,
}

/// Query of a sprint list (`GET …/projects/{key}/sprints`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SprintQuery {
    /// Key or id of a team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// Any of these states, separated by commas: `planned`, `active`, `completed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// One-based page number; 1 when absent.
    #[serde(default, deserialize_with = "crate::page::clamped", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::page::any_integer")]
    pub page: Option<u32>,
    /// Entries per page; 50 when absent, at most 100.
    #[serde(default, deserialize_with = "crate::page::clamped", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::page::any_integer")]
    pub page_size: Option<u32>,
}

/// Starts a planned sprint (`POST /orgs/{slug}/sprints/{id}/start`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartSprint {
    /// The version last read.
    pub version: u64,
}

/// Completes the active sprint of a team (`POST /orgs/{slug}/sprints/{id}/complete`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CompleteSprint {
    /// The version last read.
    pub version: u64,
    /// Where unfinished items go: `backlog`, `next` (the team's next planned sprint), or the id of a planned or
    /// active sprint of the project. `backlog` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"next")]
    pub unfinished_to: Option<String>,
}

/// The result of completing a sprint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompletedSprint {
    /// The sprint.
    pub sprint: Sprint,
    /// How many unfinished items moved.
    pub moved: u64,
    /// How many still have to move; the service moves them in the background.
    pub left: u64,
}

/// A sprint's items by workflow state (`GET /orgs/{slug}/sprints/{id}/taskboard`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Taskboard {
    /// The sprint.
    pub sprint: Sprint,
    /// A column for each state of the workflow, in its order.
    pub columns: Vec<BoardColumn>,
}

/// A column of a taskboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardColumn {
    /// Name of the workflow state.
    pub state: String,
    /// Group of the state.
    pub state_group: StateGroup,
    /// The work in the column.
    pub work: Work,
    /// The items in the state, in manual order.
    pub cards: Vec<BoardCard>,
}

/// An item on a taskboard, without its description.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoardCard {
    /// The item.
    pub item: Item,
    /// Its subtasks in the sprint, each with its own state.
    #[serde(default)]
    pub subtasks: Vec<Item>,
}

/// The burndown of a sprint, day by day (`GET /orgs/{slug}/sprints/{id}/burndown`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Burndown {
    /// The sprint.
    pub sprint: Sprint,
    /// The start of the sprint, then the end of each day until now or until the sprint's end. Empty while the
    /// sprint is planned.
    pub points: Vec<BurndownPoint>,
}

/// The work in a sprint at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BurndownPoint {
    /// The day (UTC).
    pub day: Date,
    /// The moment.
    pub at: Timestamp,
    /// The work in the sprint then.
    pub work: Work,
    /// Items, subtasks included, that came into the sprint since the point before.
    pub added: u64,
    /// Items, subtasks included, that left the sprint since the point before.
    pub removed: u64,
}

/// Moves an item to a sprint, a place in the manual order, or a state (`POST …/items/{key}/move`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MoveItem {
    /// The version last read.
    pub version: u64,
    /// Id of a sprint that is not completed; `null` is the backlog; absent keeps the sprint.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub sprint: Patch<String>,
    /// Key of the item to place it after; `null` is the first place; absent keeps the place. Together with
    /// `sprint`, it must be an item of that sprint.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub after: Patch<String>,
    /// Name of the workflow state to move to; absent keeps the state.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub state: Option<String>,
    /// Fields to change with the move.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BulkFields")]
    pub change: Option<BulkFields>,
}

//! Milestones of a project.

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::patch::Patch;

/// State of a milestone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum MilestoneState {
    /// Items can be added to it.
    Open,
    /// No more items can be added to it.
    Closed,
    /// A state that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// A milestone: a goal that items belong to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Milestone {
    /// Id.
    pub id: String,
    /// Current version.
    pub version: u64,
    /// Name, unique in the project ignoring case.
    pub name: String,
    /// What it is about, Markdown.
    #[serde(default)]
    pub description: String,
    /// Due day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Date>,
    /// State.
    pub state: MilestoneState,
    /// Progress of its items.
    pub progress: MilestoneProgress,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
}

/// Progress of the items of a milestone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MilestoneProgress {
    /// How many items belong to it.
    pub items: u64,
    /// Items in a state of the group `backlog`.
    pub backlog: u64,
    /// Items in a state of the group `active`.
    pub active: u64,
    /// Items in a state of the group `resolved`.
    pub resolved: u64,
    /// Items in a state of the group `closed`.
    pub closed: u64,
    /// Sum of the estimates.
    pub estimate: f64,
    /// Sum of the remaining effort of open items; an item without `remaining` counts with its estimate.
    pub remaining: f64,
}

/// Creates a milestone (`POST …/projects/{key}/milestones`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewMilestone {
    /// 1 to 100 characters on one line.
    pub name: String,
    /// What it is about, Markdown, at most 1,000 characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Due day, from 1970 to 2999.
    #[serde(default, deserialize_with = "crate::day::optional", skip_serializing_if = "Option::is_none")]
    pub due: Option<Date>,
}

/// Changes a milestone (`PATCH …/projects/{key}/milestones/{id}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateMilestone {
    /// The version last read.
    pub version: u64,
    /// New name.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// New description.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub description: Option<String>,
    /// New day; `null` clears it.
    #[serde(default, deserialize_with = "crate::day::patch", skip_serializing_if = "Patch::is_keep")]
    pub due: Patch<Date>,
    /// New state.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "MilestoneState")]
    pub state: Option<MilestoneState>,
}

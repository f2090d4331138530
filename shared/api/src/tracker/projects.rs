//! Projects and their workflow (specification sections 1.1, 3.6).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::deletion::Deletion;
use crate::identity::ProjectRole;

/// A project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Project {
    /// Upper-case key, the part of an item key before the final hyphen.
    pub key: String,
    /// Name shown to people.
    pub name: String,
    /// What it is about.
    #[serde(default)]
    pub description: String,
    /// An archived project is read-only.
    pub archived: bool,
    /// The caller's role in the project; absent for callers who see it only through their organization role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<ProjectRole>,
    /// Current version.
    pub version: u64,
    /// Set for a project that was deleted and can be restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion: Option<Deletion>,
}

/// Query of a project list (`GET /orgs/{slug}/projects`).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectQuery {
    /// Include archived projects; they are left out when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived: Option<bool>,
    /// Whether to list deleted projects that can be restored, instead of existing ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<bool>,
}

/// Query of the deletion of a project (`DELETE /orgs/{slug}/projects/{key}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeleteProjectQuery {
    /// The project's key, as confirmation. Required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<String>,
}

/// Creates a project (`POST /orgs/{slug}/projects`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewProject {
    /// 2 to 10 characters: an upper-case letter, then upper-case letters and digits.
    pub key: String,
    /// Name shown to people.
    pub name: String,
    /// What it is about.
    #[serde(default)]
    pub description: String,
}

/// Changes a project (`PATCH /orgs/{slug}/projects/{key}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateProject {
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
    /// Archives or revives the project.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub archived: Option<bool>,
}

/// The workflow of a project: its states in board order and the moves between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Workflow {
    /// Current version.
    pub version: u64,
    /// States in board order. New items start in the first.
    pub states: Vec<WorkflowState>,
    /// Permitted moves.
    pub moves: Vec<WorkflowMove>,
}

/// Replaces the workflow of a project (`PUT …/workflow`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetWorkflow {
    /// The version last read.
    pub version: u64,
    /// States in board order. New items start in the first, whose group is backlog or active.
    pub states: Vec<WorkflowState>,
    /// Permitted moves.
    pub moves: Vec<SetWorkflowMove>,
    /// The new state of the items of each renamed or removed state: `from` the old state `to` one of `states`.
    /// Required for states that have items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub move_items: Vec<SetWorkflowMove>,
}

/// A state of a workflow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowState {
    /// Stable id: a state that is renamed keeps it. When a workflow is set, a state with the id of an old one is that
    /// state, and its items go along; without an id, a state is the one of its name, or of the only `moveItems` to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"in-progress")]
    pub id: Option<String>,
    /// Name, unique in the project ignoring case.
    pub name: String,
    /// Group of the state.
    pub group: StateGroup,
    /// How many items shall be in the state at most. Only shown: more of them are not refused. When a workflow is
    /// set, an absent value keeps what the state of this name has, and 0 takes it away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wip_limit: Option<u32>,
    /// Its colour, `#` and six hexadecimal digits. When a workflow is set, an absent value keeps what the state of
    /// this name has, and an empty one takes it away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// What belongs into the state, at most 500 characters. When a workflow is set, an absent value keeps what the
    /// state of this name has, and an empty one takes it away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl WorkflowState {
    /// A state with nothing but a name and a meaning.
    pub fn new(name: impl Into<String>, group: StateGroup) -> Self {
        Self { id: None, name: name.into(), group, wip_limit: None, color: None, description: None }
    }
}

/// Group of a workflow state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum StateGroup {
    /// Not begun.
    Backlog,
    /// Being worked on.
    Active,
    /// Done, waiting for acceptance.
    Resolved,
    /// Finished or dropped.
    Closed,
    /// A group that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// A permitted move from one state to another, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowMove {
    /// State that the item leaves.
    pub from: String,
    /// State that it enters.
    pub to: String,
}

/// From one state to another, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetWorkflowMove {
    /// State that the item leaves.
    pub from: String,
    /// State that it enters.
    pub to: String,
}

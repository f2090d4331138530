//! Items and their claim (specification sections 2.2, 3.3).

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Can;
use super::LastRun;
use super::PullRequest;
use super::StateGroup;
use crate::identity::Actor;
use crate::patch::Patch;

/// Type of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ItemType {
    /// A feature that a user wants.
    Story,
    /// A defect.
    Bug,
    /// A piece of work.
    Task,
    /// A body of work that other items belong to.
    Epic,
    /// Part of another item.
    Subtask,
    /// A type that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Priority of an item, in rising order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Priority {
    /// Perhaps never.
    Lowest,
    /// When there is time.
    Low,
    /// In its turn.
    Medium,
    /// Before the others.
    High,
    /// Now.
    Highest,
    /// A priority that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// A work item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// `<PROJECT_KEY>-<number>`.
    pub key: String,
    /// Current version; send it with every change request. Every change raises it, except heartbeats of the claim.
    pub version: u64,
    /// Kind of work.
    #[serde(rename = "type")]
    pub item_type: ItemType,
    /// Title.
    pub title: String,
    /// Description, Markdown. Empty in lists: view the item to read it.
    #[serde(default)]
    pub body: String,
    /// Name of the workflow state.
    pub state: String,
    /// Group of that state.
    pub state_group: StateGroup,
    /// Priority.
    pub priority: Priority,
    /// Labels, sorted.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Estimated effort.
    #[serde(default)]
    pub estimate: Option<f64>,
    /// Remaining effort.
    #[serde(default)]
    pub remaining: Option<f64>,
    /// Who it is assigned to.
    #[serde(default)]
    pub assignee: Option<Actor>,
    /// Key of the item that it belongs to.
    #[serde(default)]
    pub parent: Option<String>,
    /// Id of the sprint that it is planned in.
    #[serde(default)]
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub sprint: Option<String>,
    /// Id of the milestone that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milestone: Option<String>,
    /// Place in the manual order: items with lower ranks come first. Compare ranks byte by byte.
    #[serde(default)]
    #[schemars(example = &"0000000c00000d")]
    pub rank: String,
    /// Whether it is blocked: a person marked it so, or an item that blocks it is open (`…/links`).
    #[serde(default)]
    pub blocked: bool,
    /// Due day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Date>,
    /// When it reached a state in the group `resolved` or `closed`; absent in other states, and for items closed
    /// before the service recorded this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
    /// When it left the backlog; absent while it is in the backlog, and for items that left it before the service
    /// recorded this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// The claim of the person or agent who works on it now.
    #[serde(default)]
    pub claim: Option<Claim>,
    /// Id of its queued, assigned or running run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub live_run: Option<String>,
    /// Its last run that ended; absent if none did since the service began to record this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_run: Option<LastRun>,
    /// What the caller may do with it; absent in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub can: Option<Can>,
    /// Name for a branch with its work; absent in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// How many items belong to it. Only in lists and boards; absent where the number may be out of date, as in a
    /// project's changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtask_count: Option<u64>,
    /// How many comments it has that everybody sees: those by people, in threads that people began. Absent if nobody
    /// has commented since the service began to count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment_count: Option<u32>,
    /// How many attachments the item and those comments have; absent when `commentCount` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attachment_count: Option<u32>,
    /// Pull requests by URL.
    #[serde(default)]
    pub links: Vec<Link>,
    /// Who created it.
    pub created_by: Actor,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The claim of an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Claim {
    /// Id of the person or agent.
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub holder: String,
    /// Name shown to others.
    pub holder_name: String,
    /// Whether the holder is an agent.
    pub agent: bool,
    /// When it was claimed.
    pub since: Timestamp,
    /// Last heartbeat.
    pub heartbeat_at: Timestamp,
    /// Whether the last heartbeat is too old, so that anyone may claim the item.
    pub stale: bool,
}

/// A link from an item to a pull request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Address of the pull request.
    pub url: String,
    /// What the code host reported about it; absent in lists, and until there is a report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pull_request: Option<PullRequest>,
}

/// Creates an item (`POST …/projects/{key}/items`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewItem {
    /// Kind of work.
    #[serde(rename = "type")]
    pub item_type: ItemType,
    /// 1 to 300 characters on one line.
    pub title: String,
    /// Description, Markdown, at most 100,000 characters.
    #[serde(default)]
    pub body: String,
    /// Priority; medium when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// At most 50 labels of 1 to 60 characters without commas; single spaces may separate words.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Estimated effort, not negative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// Effort left, not negative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remaining: Option<f64>,
    /// Whether something else must happen first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blocked: bool,
    /// Due day, from 1970 to 2999.
    #[serde(default, deserialize_with = "crate::day::optional", skip_serializing_if = "Option::is_none")]
    pub due: Option<Date>,
    /// Id of a sprint that is not completed. A subtask without one is planned in its parent's sprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub sprint: Option<String>,
    /// Id or name of an open milestone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milestone: Option<String>,
    /// Id of a member, or `@me`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// Key of an item of the same project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Name of the state to start in; the workflow's first when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Id or name of a ticket template for the type. It fills in description, priority and labels that are
    /// absent or empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
}

impl NewItem {
    /// An item with nothing but a type and a title.
    pub fn new(item_type: ItemType, title: impl Into<String>) -> Self {
        Self {
            item_type,
            title: title.into(),
            body: String::new(),
            priority: None,
            labels: Vec::new(),
            estimate: None,
            remaining: None,
            blocked: false,
            due: None,
            sprint: None,
            milestone: None,
            assignee: None,
            parent: None,
            state: None,
            template: None,
        }
    }
}

/// Changes an item (`PATCH …/items/{key}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateItem {
    /// The version last read.
    pub version: u64,
    /// New title.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub title: Option<String>,
    /// New description.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub body: Option<String>,
    /// New kind of work.
    #[serde(
        default,
        deserialize_with = "crate::patch::given",
        rename = "type",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "ItemType")]
    pub item_type: Option<ItemType>,
    /// New priority.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Priority")]
    pub priority: Option<Priority>,
    /// Replaces all labels. Not together with `addLabels` or `removeLabels`.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub labels: Option<Vec<String>>,
    /// Labels to add.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add_labels: Vec<String>,
    /// Labels to remove.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove_labels: Vec<String>,
    /// New estimate; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub estimate: Patch<f64>,
    /// New remaining effort; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub remaining: Patch<f64>,
    /// Id of a member or `@me`; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub assignee: Patch<String>,
    /// Key of an item of the same project; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub parent: Patch<String>,
    /// Whether a person marks it as blocked. While an item that blocks it is open, it stays blocked anyway; sending
    /// the value that it shows changes nothing.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub blocked: Option<bool>,
    /// Due day, from 1970 to 2999; `null` clears it.
    #[serde(default, deserialize_with = "crate::day::patch", skip_serializing_if = "Patch::is_keep")]
    pub due: Patch<Date>,
    /// New milestone: the id or name of an open one; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub milestone: Patch<String>,
}

/// Moves an item to another workflow state (`POST …/items/{key}/transition`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Transition {
    /// The version last read.
    pub version: u64,
    /// Name of the state, ignoring case.
    pub state: String,
}

/// Claims an item (`POST …/items/{key}/claim`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClaimItem {
    /// The version last read.
    pub version: u64,
}

//! A project as a board.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Workflow;
use crate::factory::Run;

/// The board of a project: its workflow and its items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Board")]
pub struct Board<T> {
    /// Send it as `after` to the changes of the project, or to their stream, to follow later changes.
    #[schemars(example = &"0000019b8c1f2a00-4")]
    pub cursor: String,
    /// The columns in board order, and the moves between them.
    pub workflow: Workflow,
    /// How many items the project has. It exceeds the length of `items` only in a project of more than 10,000
    /// items.
    pub item_count: u64,
    /// What the caller may do with the items.
    pub can: Can,
    /// The items by rank, with an empty `body`.
    pub items: Vec<T>,
    /// The live runs of the items, at most 100.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Run>,
}

/// What the caller may do in the project now, by role and credential. A rule about one item, such as somebody
/// else's claim, may still refuse a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Can {
    /// Create, change, move and claim items.
    pub edit: bool,
    /// Comment and react.
    pub comment: bool,
    /// Start and cancel runs.
    pub start: bool,
    /// Move items to other states; not for agents, whose run moves its item.
    #[serde(default)]
    pub transition: bool,
    /// Delete the item. In a list or board: also delete items of others; with `edit`, the caller can always delete
    /// items that they created.
    #[serde(default)]
    pub delete: bool,
    /// Change workflow, members and settings.
    pub configure: bool,
}

//! A project as a board.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Workflow;

/// The board of a project: its workflow and its items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Board")]
pub struct Board<T> {
    /// Send it as `after` to the changes of the project, or to their stream, to learn what happens next.
    #[schemars(example = &"0000019b8c1f2a00-4")]
    pub cursor: String,
    /// The columns in board order, and the moves between them.
    pub workflow: Workflow,
    /// How many items the project has. There are more than `items` only in a project of more than 10,000.
    pub item_count: u64,
    /// What the caller may do with the items.
    pub can: Can,
    /// The items by rank, with an empty `body`.
    pub items: Vec<T>,
}

/// What the caller may do in a project, with their role and credential and as the project is now. A rule about one item,
/// such as a claim that somebody else holds, may still refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Can {
    /// Create, change, move and claim items.
    pub edit: bool,
    /// Comment and react.
    pub comment: bool,
    /// Start and cancel runs.
    pub start: bool,
    /// Change workflow, members and settings.
    pub configure: bool,
}

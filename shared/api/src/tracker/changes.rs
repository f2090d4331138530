//! What changed in a project since a client last asked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Query of the changes of a project (`GET …/projects/{key}/changes`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangesQuery {
    /// The `cursor` of the last answer. Without it the answer has only a cursor to begin with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// Changes in a project.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "{T}Changes")]
pub struct Changes<T> {
    /// Send it as `after` next time. Do not interpret it.
    #[schemars(example = &"0000019b8c1f2a00-4")]
    pub cursor: String,
    /// Whether there are too many changes to list. If so, load everything again, then continue from `cursor`.
    pub reload: bool,
    /// Items that were created or changed, in their current form, with an empty `body`. An item may appear
    /// twice.
    pub items: Vec<T>,
    /// Keys of items that were deleted.
    #[schemars(example = ["PRJ-13"])]
    pub removed: Vec<String>,
}

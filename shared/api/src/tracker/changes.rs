//! What changed in a project since a client last asked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Query of the changes of a project (`GET …/projects/{key}/changes`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangesQuery {
    /// The `cursor` of the last answer. Without it the answer only says where to begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// What changed in a project.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "{T}Changes")]
pub struct Changes<T> {
    /// Send it as `after` next time. Its text means nothing.
    #[schemars(example = &"0000019b8c1f2a00-4")]
    pub cursor: String,
    /// Whether too much happened since: load everything anew, then go on at `cursor`.
    pub reload: bool,
    /// Items that were created or changed, as they are now, with an empty `body`. One may come twice.
    pub items: Vec<T>,
    /// Keys of items that went.
    #[schemars(example = ["PRJ-13"])]
    pub removed: Vec<String>,
}

//! What hangs on an item: its pull requests and its subtasks (specification section 2.2).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Priority;

/// Links a pull request (`POST …/items/{key}/links`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewLink {
    /// Address of the pull request: http or https, at most 1,900 characters.
    pub url: String,
}

/// Names the link to remove (`DELETE …/items/{key}/links`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkQuery {
    /// Address of the pull request, as it was linked. Required.
    #[serde(default)]
    pub url: String,
}

/// Creates a subtask (`POST …/items/{key}/subtasks`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewSubtask {
    /// 1 to 300 characters on one line.
    pub title: String,
    /// Estimated effort, not negative.
    pub estimate: f64,
    /// Description, Markdown, at most 100,000 characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub body: String,
    /// Priority; medium when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// At most 50 labels of 1 to 60 characters without spaces or commas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Id of a member, or `@me`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
}

//! Ticket templates of a project (specification section 2.4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ItemType, Priority};
use crate::patch::Patch;

/// A ticket template: the initial description, priority and labels of a new item of a type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Template {
    /// Id.
    pub id: String,
    /// Current version.
    pub version: u64,
    /// Name, unique in the project ignoring case.
    pub name: String,
    /// Type of the items that it is for.
    #[serde(rename = "type")]
    pub item_type: ItemType,
    /// Initial description, Markdown.
    #[serde(default)]
    pub body: String,
    /// Initial priority; medium when absent.
    #[serde(default)]
    pub priority: Option<Priority>,
    /// Initial labels, sorted.
    #[serde(default)]
    pub labels: Vec<String>,
}

/// Creates a template (`POST …/projects/{key}/templates`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTemplate {
    /// 1 to 80 characters on one line.
    pub name: String,
    /// Type of the items that it is for.
    #[serde(rename = "type")]
    pub item_type: ItemType,
    /// Description, Markdown, at most 10,000 characters.
    #[serde(default)]
    pub body: String,
    /// Priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// Labels.
    #[serde(default)]
    pub labels: Vec<String>,
}

/// Changes a template (`PATCH …/projects/{key}/templates/{id}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateTemplate {
    /// The version last read.
    pub version: u64,
    /// New name.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// New type.
    #[serde(
        default,
        deserialize_with = "crate::patch::given",
        rename = "type",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "ItemType")]
    pub item_type: Option<ItemType>,
    /// New description.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub body: Option<String>,
    /// New priority; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub priority: Patch<Priority>,
    /// New labels.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub labels: Option<Vec<String>>,
}

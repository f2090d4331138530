//! Saved views of a project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Actor;
use crate::patch::Patch;

/// A saved view: a list of a project's items to come back to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedView {
    /// Id.
    pub id: String,
    /// Current version.
    pub version: u64,
    /// Name, unique ignoring case among the shared views of the project, or among your own.
    pub name: String,
    /// Whether everyone who sees the project sees the view.
    pub shared: bool,
    /// Filter terms; empty for all items. When a label or a state gets a new name, the filter follows.
    pub filter: String,
    /// Words that the items contain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
    /// Order of the items, as for the list of items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// Who made it.
    pub created_by: Actor,
    /// Whether the caller may change and delete it.
    #[serde(default)]
    pub can_edit: bool,
}

/// Saves a view (`POST …/projects/{key}/views`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewView {
    /// 1 to 80 characters on one line.
    pub name: String,
    /// Whether everyone who sees the project sees the view; only you otherwise.
    #[serde(default)]
    pub shared: bool,
    /// Filter terms; empty for all items.
    #[serde(default)]
    pub filter: String,
    /// Words that the items contain, at most 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
    /// Order of the items, as for the list of items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"-priority")]
    pub sort: Option<String>,
}

/// Changes a view (`PATCH …/projects/{key}/views/{id}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateView {
    /// The version last read.
    pub version: u64,
    /// New name.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// Whether everyone who sees the project sees the view. Only the person who made a view can make it personal.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub shared: Option<bool>,
    /// New filter terms; empty for all items.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub filter: Option<String>,
    /// New words; `null` for none.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub q: Patch<String>,
    /// New order; `null` for the list's own.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schemars(example = &"-priority")]
    pub sort: Patch<String>,
}

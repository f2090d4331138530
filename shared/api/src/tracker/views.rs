//! Saved views of a project or an organization.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Actor;
use crate::patch::Patch;

/// A saved view: a list of items to come back to, of a project or an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedView {
    /// Id.
    pub id: String,
    /// Current version.
    pub version: u64,
    /// Name, unique ignoring case among the shared views of its place, or among your own there.
    pub name: String,
    /// Whether others see the view: everyone who sees its project, or all people of its organization but Guests.
    pub shared: bool,
    /// Filter terms; empty for all items. When a label or a state of its project gets a new name, the filter follows.
    pub filter: String,
    /// Words that the items contain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
    /// Order of the items, as for the list of items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// Field by which apps group the items, such as `assignee`. The service does not read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// How apps show the items; as a list where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<ViewLayout>,
    /// Who made it.
    pub created_by: Actor,
    /// Whether the caller may change and delete it.
    #[serde(default)]
    pub can_edit: bool,
}

/// How apps show the items of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ViewLayout {
    /// In rows.
    List,
    /// In columns by state.
    Board,
    /// A way that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Saves a view (`POST …/projects/{key}/views`, `POST /orgs/{slug}/views`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewView {
    /// 1 to 80 characters on one line.
    pub name: String,
    /// Whether others see the view: everyone who sees its project, or all people of its organization but Guests. Only
    /// you otherwise.
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
    /// Field by which apps group the items: at most 40 letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"assignee")]
    pub group: Option<String>,
    /// How apps show the items; as a list where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<ViewLayout>,
}

/// Changes a view (`PATCH …/projects/{key}/views/{id}`, `PATCH /orgs/{slug}/views/{viewId}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateView {
    /// The version last read.
    pub version: u64,
    /// New name.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// Whether others see the view. Only the person who made a view can make it personal.
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
    /// New field by which apps group the items; `null` for none.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schemars(example = &"assignee")]
    pub group: Patch<String>,
    /// New way in which apps show the items; `null` for a list.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    pub layout: Patch<ViewLayout>,
}

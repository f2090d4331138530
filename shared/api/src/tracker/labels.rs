//! Labels of a project (specification section 2.2).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A label of a project, defined or merely in use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Label {
    /// Name; labels are compared ignoring case.
    pub name: String,
    /// Colour: `#` and six hexadecimal digits.
    #[schemars(example = &"#1f77b4")]
    pub color: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// How many items carry it.
    pub items: u64,
    /// Current version; 0 for a label that items carry but nobody has defined.
    pub version: u64,
}

/// Defines a label (`POST …/projects/{key}/labels`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewLabel {
    /// 1 to 60 characters without commas or quotes; single spaces may separate words.
    pub name: String,
    /// `#` and six hexadecimal digits; grey when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"#1f77b4")]
    pub color: Option<String>,
    /// What it is for, at most 200 characters.
    #[serde(default)]
    pub description: String,
}

/// Changes a label (`PATCH …/projects/{key}/labels/{name}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateLabel {
    /// The version last read.
    pub version: u64,
    /// New name. Every item with the label gets it.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// New colour.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    #[schemars(example = &"#1f77b4")]
    pub color: Option<String>,
    /// New description.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub description: Option<String>,
    /// Whether to merge the label into an existing label `name`: the items get that label, and this one is
    /// deleted.
    #[serde(default)]
    pub merge: bool,
}

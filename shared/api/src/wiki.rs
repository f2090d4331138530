//! Wiki pages and their versions (specification sections 2.5, 4.2).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Actor;

/// A page of a project's wiki.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WikiPage {
    /// Id.
    pub id: String,
    /// Names from the root to the page, separated by `/`.
    pub path: String,
    /// Last name of the path.
    pub title: String,
    /// Text, Markdown.
    pub body: String,
    /// Current version; 1 is the first.
    pub version: u64,
    /// Who wrote this version.
    pub updated_by: Actor,
    /// When.
    pub updated_at: Timestamp,
}

/// A page in the tree, without its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WikiEntry {
    /// Id.
    pub id: String,
    /// Names from the root to the page, separated by `/`.
    pub path: String,
    /// Last name of the path.
    pub title: String,
    /// Current version.
    pub version: u64,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// Writes a page (`PUT …/wiki/pages/{path}`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PutPage {
    /// The version last read; absent to create the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Text, Markdown, at most 200,000 characters.
    pub body: String,
}

/// One version of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageVersion {
    /// Number of the version.
    pub version: u64,
    /// Text, Markdown.
    pub body: String,
    /// Who wrote it.
    pub author: Actor,
    /// When.
    pub at: Timestamp,
}

//! The history of an item, and what changed of a long text.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Actor;
use crate::wiki::DiffHunk;

/// One change of an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// Stable id.
    #[serde(default)]
    pub id: String,
    /// When it happened.
    pub at: Timestamp,
    /// Who did it.
    pub actor: Actor,
    /// What happened.
    #[schemars(extend("enum" = HistoryEntry::ACTIONS))]
    pub action: String,
    /// Field that changed, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"state")]
    pub field: Option<String>,
    /// Value before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Value after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Run that the entry is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// Whether it changed a long text whose difference can be read (`…/history/{id}/diff`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_diff: bool,
}

/// The changes to a long text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextDiff {
    /// The differences, in order.
    pub hunks: Vec<DiffHunk>,
    /// The same as a unified diff.
    pub unified: String,
    /// Whether there are more differences than these; absent if these are all.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

impl HistoryEntry {
    /// Every `action` of this version of the API. A later one may know more.
    pub const ACTIONS: &[&str] = &[
        "created",
        "deleted",
        "restored",
        "transferred",
        "changed",
        "transitioned",
        "transitionSkipped",
        "claimed",
        "released",
        "linked",
        "unlinked",
        "attached",
        "detached",
        "runQueued",
        "runFinished",
    ];
}

//! What happened lately in an organization.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{HistoryEntry, ItemType};
use crate::identity::Actor;

/// Query of what happened (`GET /orgs/{slug}/activity`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActivityQuery {
    /// Key of the project; all projects when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"PRJ")]
    pub project: Option<String>,
    /// The `cursor` of the last answer; the latest when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Maximum number of items, 1 to 50, clamped; 20 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// The items that something happened to last, the latest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    /// The items.
    pub items: Vec<ActiveItem>,
    /// What to ask with for the items before these; `null` when there are none.
    #[serde(default)]
    #[schemars(example = &"001767605400000.12.PRJ")]
    pub cursor: Option<String>,
    /// To none of the items before these did anything happen after this time; `null` when there are none.
    #[serde(default)]
    pub since: Option<Timestamp>,
}

/// An item, and the last that happened to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActiveItem {
    /// Its key.
    #[schemars(example = &"PRJ-12")]
    pub key: String,
    /// Its title.
    #[schemars(example = &"Login times out")]
    pub title: String,
    /// Kind of work.
    #[serde(rename = "type")]
    pub item_type: ItemType,
    /// What the caller sees of its last 20 changes, newest first.
    pub history: Vec<HistoryEntry>,
    /// What the caller sees of the last 10 comments on it, newest first.
    pub comments: Vec<ActiveComment>,
}

/// A comment in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActiveComment {
    /// Its id.
    pub id: String,
    /// Who wrote it.
    pub author: Actor,
    /// Its first 500 characters, as Markdown.
    #[schemars(example = &"It happens **every** time.")]
    pub beginning: String,
    /// When it was written.
    pub created_at: Timestamp,
}

//! Comments and reactions (specification section 2.3).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Actor;

/// A comment on an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    /// Id.
    pub id: String,
    /// Text, Markdown; empty when deleted.
    pub body: String,
    /// Who wrote it.
    pub author: Actor,
    /// Id of the comment that began its thread; none for one that begins a thread.
    #[serde(default)]
    pub reply_to: Option<String>,
    /// Reactions, in the order of the fixed set.
    #[serde(default)]
    pub reactions: Vec<Reaction>,
    /// Whether the caller may react.
    pub can_react: bool,
    /// Whether its author or an administrator deleted it.
    #[serde(default)]
    pub deleted: bool,
    /// When it was written.
    pub created_at: Timestamp,
    /// Current version.
    pub version: u64,
}

/// One emoji on a comment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reaction {
    /// One of 👍 👎 ❤️ 🎉 👀 ✅.
    pub emoji: String,
    /// How many reacted so.
    pub count: u32,
    /// Whether the caller is one of them.
    pub reacted_by_me: bool,
    /// Who they are.
    pub users: Vec<Actor>,
}

/// Writes a comment (`POST …/items/{key}/comments`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewComment {
    /// Text, Markdown, 1 to 50,000 characters.
    pub body: String,
    /// Id of the comment that it answers, whose thread it joins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<String>,
    /// Ids of your attachments on the item, committed and announced with `forComment`, that shall be the
    /// comment's own; 20 at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<String>,
}

//! Comments and reactions (specification section 2.3).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::factory::Run;
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
    /// Id of the comment that began its thread; absent if it begins a thread itself.
    #[serde(default)]
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub reply_to: Option<String>,
    /// Reactions, in the order of the fixed set.
    #[serde(default)]
    pub reactions: Vec<Reaction>,
    /// Whether the caller may react.
    pub can_react: bool,
    /// Whether the caller may change its text.
    #[serde(default)]
    pub can_edit: bool,
    /// Whether the caller may delete it.
    #[serde(default)]
    pub can_delete: bool,
    /// The people and agents that the text mentions, in order.
    #[serde(default)]
    pub mentions: Vec<Actor>,
    /// Id of the run whose agent wrote it, or whose outcome it reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub run_id: Option<String>,
    /// Id of the run whose outcome it reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub outcome_of: Option<String>,
    /// Factory operators only: machine-readable reason why the run failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"harness-not-authenticated", extend("enum" = Run::FAILURE_REASONS))]
    pub failure_reason: Option<String>,
    /// Factory operators only: the reason in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"The harness was not signed in.")]
    pub failure_detail: Option<String>,
    /// Whether its author or an administrator deleted it.
    #[serde(default)]
    pub deleted: bool,
    /// When it was written.
    pub created_at: Timestamp,
    /// When its text last changed; absent when it never did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited_at: Option<Timestamp>,
    /// Whom the mentions reach that the text was just written with, and which reach nobody: in answers to writing and
    /// editing only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<MentionReach>,
    /// Current version.
    pub version: u64,
}

/// Whom a mention reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MentionReach {
    /// The name, without its `@`; of nobody, as it was written.
    pub name: String,
    /// Who is mentioned; `null` where the name is nobody's.
    #[serde(default)]
    pub who: Option<Actor>,
    /// What comes of it.
    pub outcome: MentionOutcome,
    /// Why it reaches nobody, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"Nobody in PRJ is called robyn.")]
    pub reason: Option<String>,
}

/// What comes of a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum MentionOutcome {
    /// The person is told, where they chose.
    Told,
    /// A run of the agent was asked for; `GET …/items/{key}/mentions` tells what comes of that.
    Asked,
    /// It reaches nobody.
    Nobody,
    /// An outcome that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// An edit of a comment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentEdit {
    /// The version of the comment that the edit created; it identifies the edit.
    pub version: u64,
    /// When it happened.
    pub at: Timestamp,
    /// Who did it.
    pub actor: Actor,
}

/// One emoji on a comment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reaction {
    /// One of 👍 👎 ❤️ 🎉 👀 ✅.
    pub emoji: String,
    /// How many people and agents reacted with it.
    pub count: u32,
    /// Whether the caller is one of them.
    pub reacted_by_me: bool,
    /// The first 100 of them, in the order in which they reacted.
    pub users: Vec<Reactor>,
}

/// Who reacted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reactor {
    /// Id of the person or agent.
    pub id: String,
    /// Name.
    pub display_name: String,
    /// Key of their picture; null if they have none.
    #[schemars(example = &"9f2c4e1ab07d")]
    pub avatar_key: Option<String>,
    /// Whether it is an agent.
    pub agent: bool,
}

/// Changes a comment (`PATCH …/comments/{commentId}`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditComment {
    /// The version last read.
    pub version: u64,
    /// New text, Markdown, 1 to 50,000 characters.
    pub body: String,
}

/// Adds a reaction (`PUT …/comments/{commentId}/reactions`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddReaction {
    /// One of 👍 👎 ❤️ 🎉 👀 ✅, with or without variation selectors.
    #[schemars(example = "👍")]
    pub emoji: String,
}

/// Writes a comment (`POST …/items/{key}/comments`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewComment {
    /// Text, Markdown, 1 to 50,000 characters.
    pub body: String,
    /// Id of the comment to reply to; the comment joins its thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub reply_to: Option<String>,
    /// Ids of your attachments on the item that become the comment's own, at most 20. They must be committed
    /// and announced with `forComment`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<String>,
}

//! What mentions of agents in comments ask for (specification section 6.4).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ref;
use crate::identity::Actor;

/// What happened to a mention of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum MentionStatus {
    /// It waits until the item is free.
    Waiting,
    /// Its run was queued.
    Started,
    /// No run was started, and the agent replied why.
    Dropped,
    /// Its author removed it before a run started.
    Withdrawn,
    /// A state that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// A mention of an agent that asks for a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentMention {
    /// Id of the comment.
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub comment: String,
    /// The agent.
    pub agent: Ref,
    /// Who wrote the comment.
    pub requested_by: Actor,
    /// When the comment, or the edit that added the mention, was written.
    pub requested_at: Timestamp,
    /// What happened to it.
    pub status: MentionStatus,
    /// The run that it started.
    #[serde(default)]
    pub run: Option<String>,
    /// Why it waits, or why no run was started, in a sentence.
    #[serde(default)]
    #[schemars(example = &"The item is claimed by Ada.")]
    pub reason: Option<String>,
}

/// Previews what a comment would start (`POST …/items/{key}/mentions/preview`). Nothing is saved.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviewMentions {
    /// Text of the comment, Markdown, 1 to 50,000 characters.
    pub body: String,
    /// Id of the comment that it would reply to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub reply_to: Option<String>,
    /// Id of the comment that would be edited; agents that it already mentions start nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")]
    pub comment: Option<String>,
}

/// What a comment would start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MentionPreview {
    /// The agents that it mentions, in the order of the text.
    pub agents: Vec<PreviewedMention>,
    /// The people that it mentions.
    pub people: Vec<Actor>,
}

/// What the mention of an agent would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum MentionEffect {
    /// Queues a run at once.
    Starts,
    /// Waits until the item is free, and queues a run then.
    Waits,
    /// Starts nothing: the agent replies why no run can start.
    Refused,
    /// Only notifies.
    Notifies,
    /// An effect that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// What the mention of an agent would do, and why it would not start a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewedMention {
    /// The agent.
    pub agent: Actor,
    /// What it would do.
    pub effect: MentionEffect,
    /// Why it would not start a run, in a sentence.
    #[serde(default)]
    #[schemars(example = &"The item is claimed by Ada.")]
    pub reason: Option<String>,
}

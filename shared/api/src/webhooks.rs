//! Outbound webhooks, by Standard Webhooks: what an organization sends to addresses of its own.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::factory::{Run, RunKind, RunStatus};
use crate::identity::Actor;
use crate::tracker::{Comment, Item};

/// What a webhook can send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum WebhookEvent {
    /// An item was created.
    #[serde(rename = "item.created")]
    ItemCreated,
    /// Fields of an item changed; `changes` names them.
    #[serde(rename = "item.changed")]
    ItemChanged,
    /// An item moved to another state; `changes` has the state before and after.
    #[serde(rename = "item.moved")]
    ItemMoved,
    /// An item was deleted.
    #[serde(rename = "item.deleted")]
    ItemDeleted,
    /// A comment was written.
    #[serde(rename = "comment.created")]
    CommentCreated,
    /// A comment was edited.
    #[serde(rename = "comment.edited")]
    CommentEdited,
    /// A comment was deleted.
    #[serde(rename = "comment.deleted")]
    CommentDeleted,
    /// A run ended.
    #[serde(rename = "run.ended")]
    RunEnded,
    /// A sprint was started.
    #[serde(rename = "sprint.started")]
    SprintStarted,
    /// A sprint was completed.
    #[serde(rename = "sprint.completed")]
    SprintCompleted,
    /// The webhook was tested. It is not chosen; every webhook sends it when it is tested.
    #[serde(rename = "ping")]
    Ping,
    /// An event that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// A webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutboundWebhook {
    /// Id.
    pub id: String,
    /// Version; a change must carry it.
    pub version: u64,
    /// Name for people.
    pub name: String,
    /// Address that it sends to.
    pub url: String,
    /// What it sends.
    pub events: Vec<WebhookEvent>,
    /// Keys of the projects of which it sends it; of all projects where there are none.
    pub projects: Vec<String>,
    /// Whether it also sends what only factory operators see: comments of agents, and why runs failed.
    pub agents_work: bool,
    /// Who saved it last: it sends what they may see, and nothing once they are no longer an Admin.
    pub saved_by: Actor,
    /// When it was created.
    pub created_at: Timestamp,
    /// Until when deliveries are also signed with the secret before the last rotation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former_secret_until: Option<Timestamp>,
    /// Since when no delivery succeeded. After three days the webhook is disabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Timestamp>,
    /// Whether it sends nothing.
    pub disabled: bool,
    /// Why it was disabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled_reason: Option<String>,
    /// Why it can send nothing although it is not disabled, and what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// A webhook with its secret, which is shown only once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookWithSecret {
    /// What deliveries are signed with: `whsec_` and Base64 of the key.
    pub secret: String,
    /// The webhook.
    pub webhook: OutboundWebhook,
}

/// Creates a webhook (`POST /orgs/{slug}/webhooks`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({
    "name": "n8n", "url": "https://n8n.example.com/webhook/1", "events": ["item.created", "run.ended"]
}))]
pub struct NewOutboundWebhook {
    /// Name for people.
    pub name: String,
    /// Address to send to: `https://`, or what the operator allows besides.
    pub url: String,
    /// What to send.
    pub events: Vec<WebhookEvent>,
    /// Keys of the projects; all projects when absent or empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projects: Vec<String>,
    /// Whether to send also what only factory operators see.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub agents_work: bool,
}

/// Changes a webhook (`PATCH /orgs/{slug}/webhooks/{id}`). Absent fields stay as they are.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "version": 1, "disabled": false }))]
pub struct UpdateOutboundWebhook {
    /// The version last read.
    pub version: u64,
    /// Name for people.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// Address to send to.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub url: Option<String>,
    /// What to send.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<WebhookEvent>")]
    pub events: Option<Vec<WebhookEvent>>,
    /// Keys of the projects; all projects when empty.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub projects: Option<Vec<String>>,
    /// Whether to send also what only factory operators see.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub agents_work: Option<bool>,
    /// Whether it sends nothing. Enabling a webhook forgets its failures.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub disabled: Option<bool>,
}

/// What became of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum WebhookDeliveryState {
    /// It is sent, or sent again.
    Waiting,
    /// It was answered with 2xx.
    Sent,
    /// No attempt succeeded.
    Failed,
    /// There was nothing to send: what it was about is gone, or is not for the webhook.
    Skipped,
    /// A state that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// One attempt to send a delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookAttempt {
    /// When.
    pub at: Timestamp,
    /// Status of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Why there was no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A delivery of a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDelivery {
    /// Id, sent as `webhook-id` with every attempt.
    pub id: String,
    /// What it tells.
    pub event: WebhookEvent,
    /// When that happened.
    pub at: Timestamp,
    /// Key of the item that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_key: Option<String>,
    /// What became of it.
    pub state: WebhookDeliveryState,
    /// Why it was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped_reason: Option<String>,
    /// When the next attempt is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_attempt_at: Option<Timestamp>,
    /// The attempts, oldest first, the latest 20.
    pub attempts: Vec<WebhookAttempt>,
}

/// Query of a webhook's deliveries.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDeliveryQuery {
    /// Only deliveries before the one with this id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
}

/// The body of a delivery.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookPayload {
    /// What happened.
    #[serde(rename = "type")]
    pub event: WebhookEvent,
    /// When it happened.
    pub timestamp: Timestamp,
    /// What it is about.
    pub data: WebhookData,
}

/// A run, as much of it as the webhook sends.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum WebhookRun {
    /// All that factory operators see, where the webhook sends what agents do.
    Whole(Box<Run>),
    /// What everybody may know.
    Short(WebhookRunSummary),
}

/// What everybody may know of a run.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookRunSummary {
    /// Id.
    pub id: String,
    /// Slug of its organization.
    pub organization: String,
    /// Key of the project.
    pub project: String,
    /// Key of the item.
    pub item: String,
    /// What the run is for.
    pub kind: RunKind,
    /// Where it is in its life.
    pub status: RunStatus,
    /// When it was queued.
    pub queued_at: Timestamp,
    /// When it started, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<Timestamp>,
    /// Its pull request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pull_request: Option<String>,
}

/// What a delivery is about, as it is when it is sent.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookData {
    /// Name of the webhook.
    pub webhook: String,
    /// Slug of the organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<String>,
    /// Key of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Who did it. Agents are named only where the webhook sends what they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Actor>,
    /// Key of the item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_key: Option<String>,
    /// The item, unless it was deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<Item>,
    /// Id of the comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment_id: Option<String>,
    /// The comment, unless it was deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<Comment>,
    /// Id of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// The run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<WebhookRun>,
    /// Id of the sprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprint_id: Option<String>,
    /// Name of the sprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprint_name: Option<String>,
    /// Names of the fields that changed, or the state before and after.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
}

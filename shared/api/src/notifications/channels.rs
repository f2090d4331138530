//! Channels on which people and organizations are told (specification sections 2.7, 3.4 and 4.1).

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{NotificationKind, NotificationMode};

/// A chat platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ChannelType {
    /// Telegram, connected by a code that is sent to a bot.
    #[serde(rename = "chat_1")]
    Chat1,
    /// Slack, connected by the address of an incoming webhook.
    #[serde(rename = "chat_2")]
    Chat2,
    /// Discord, connected by the address of a webhook.
    #[serde(rename = "chat_3")]
    Chat3,
    /// Teams, connected by the address of a workflow; for channels of an organization only.
    #[serde(rename = "chat_4")]
    Chat4,
    /// A platform that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Whether a channel works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ChannelStatus {
    /// It waits for its code.
    Pending,
    /// It works.
    Active,
    /// The platform refuses it. A test message that arrives makes it work again.
    Broken,
    /// A status that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// A channel of yours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationChannel {
    /// Id.
    pub id: String,
    /// Platform.
    #[serde(rename = "type")]
    pub platform: ChannelType,
    /// Whether it works.
    pub status: ChannelStatus,
    /// Where it leads: the host, and the last characters of the address or of the chat's id. Empty while it waits for its
    /// code.
    pub target: String,
    /// Why the last message did not arrive.
    #[serde(default)]
    pub last_error: Option<String>,
    /// Since when nothing arrives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Timestamp>,
    /// Until when the platform asked to wait; a test ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_until: Option<Timestamp>,
    /// When it was connected.
    #[serde(default)]
    pub connected_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// Your channels (`GET /me/notification-channels`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationChannels {
    /// Whether this instance has a bot for `chat_1`.
    pub chat1_available: bool,
    /// Name of the bot.
    #[serde(default)]
    pub chat1_bot_username: Option<String>,
    /// The channels, at most one on each platform.
    pub channels: Vec<NotificationChannel>,
}

/// Creates a channel, in place of the one that you have on the platform (`POST /me/notification-channels`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({
    "type": "chat_2", "webhookUrl": "https://hooks.slack.com/services/T0000/B0000/a1b2c3",
}))]
pub struct NewNotificationChannel {
    /// Platform.
    #[serde(rename = "type")]
    pub platform: ChannelType,
    /// Address of the incoming webhook, for `chat_2` and `chat_3`. It is never shown again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook_url: Option<String>,
}

/// A channel that was created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedNotificationChannel<C = NotificationChannel> {
    /// The channel.
    pub channel: C,
    /// With `chat_1`: the code that connects the chat. It works once and is not shown again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connect_code: Option<String>,
    /// With `chat_1`: a link that sends the code to the bot. For an organization it adds the bot to a group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connect_url: Option<String>,
    /// With `chat_1`: until when the code works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

/// That a test message arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChannelTested {
    /// Always `true`.
    pub ok: bool,
}

/// A channel of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrgNotificationChannel {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Platform.
    #[serde(rename = "type")]
    pub platform: ChannelType,
    /// Whether it works.
    pub status: ChannelStatus,
    /// Where it leads: the host, and the last characters of the address or of the chat's id. Empty while it waits for its
    /// code.
    pub target: String,
    /// When it is told of which kind; a kind that is missing is off.
    pub modes: BTreeMap<String, NotificationMode>,
    /// Why the last message did not arrive.
    #[serde(default)]
    pub last_error: Option<String>,
    /// Since when nothing arrives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Timestamp>,
    /// Until when the platform asked to wait; a test ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_until: Option<Timestamp>,
    /// When it was connected.
    #[serde(default)]
    pub connected_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// The channels of an organization (`GET /orgs/{slug}/notification-channels`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrgNotificationChannels {
    /// Whether this instance has a bot for `chat_1`.
    pub chat1_available: bool,
    /// Name of the bot.
    #[serde(default)]
    pub chat1_bot_username: Option<String>,
    /// The kinds that an organization's channel can be told of.
    pub kinds: Vec<NotificationKind>,
    /// The channels, oldest first.
    pub channels: Vec<OrgNotificationChannel>,
    /// Whether mail works.
    #[serde(default)]
    pub mail: MailStatus,
}

/// Whether the mail of this instance works.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MailStatus {
    /// Whether it sends mail at all.
    pub available: bool,
    /// Since when the mail server takes none; absent while it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Timestamp>,
    /// What the mail server said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"mail.example.com:587: 535 authentication failed")]
    pub error: Option<String>,
}

/// Creates a channel of an organization (`POST /orgs/{slug}/notification-channels`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({
    "type": "chat_2", "name": "Ops", "webhookUrl": "https://hooks.slack.com/services/T0000/B0000/a1b2c3",
}))]
pub struct NewOrgNotificationChannel {
    /// Platform.
    #[serde(rename = "type")]
    pub platform: ChannelType,
    /// Name, 1 to 80 characters.
    pub name: String,
    /// Address of the incoming webhook, for `chat_2` and `chat_3`, or of the workflow, for `chat_4`. It is never shown again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook_url: Option<String>,
}

/// Changes a channel of an organization (`PATCH /orgs/{slug}/notification-channels/{id}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "name": "Ops", "modes": {"runFailed": "immediate"} }))]
pub struct ChangeOrgNotificationChannel {
    /// Name, 1 to 80 characters.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// All modes, by kind; a kind that is missing is off.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BTreeMap<String, NotificationMode>")]
    pub modes: Option<BTreeMap<String, NotificationMode>>,
}

/// Something that a chat said to the bot (`POST /notifications/chat-1/updates`), as Telegram describes it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(example = serde_json::json!({ "update_id": 7, "message": {"chat": {"id": 5}, "text": "hello"} }))]
pub struct BotUpdate {
    /// Its number.
    pub update_id: i64,
    /// A message that somebody wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<serde_json::Value>,
    /// A press of a button.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callback_query: Option<serde_json::Value>,
}

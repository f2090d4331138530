//! What people want to be told of, and what organizations suggest to them (specification section 2.7).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::NotificationKind;

/// When somebody is told of a kind of news.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum NotificationMode {
    /// Never.
    Off,
    /// At once.
    Immediate,
    /// Once a day, with everything else.
    Digest,
    /// A mode that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// What you want to be told of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(example = serde_json::json!({
    "kind": "mentioned", "inApp": true, "email": "immediate", "chat_1": null, "chat_2": "digest", "chat_3": null,
    "push": "immediate",
}))]
pub struct NotificationPreference {
    /// The kind.
    pub kind: NotificationKind,
    /// Whether it is in your inbox. If not, you are told of it nowhere.
    pub in_app: bool,
    /// When it is mailed.
    pub email: NotificationMode,
    /// When Telegram tells you; with `null` as the organization suggests, or else as mail.
    #[serde(rename = "chat_1", default)]
    pub chat_1: Option<NotificationMode>,
    /// When Slack tells you; the same.
    #[serde(rename = "chat_2", default)]
    pub chat_2: Option<NotificationMode>,
    /// When Discord tells you; the same.
    #[serde(rename = "chat_3", default)]
    pub chat_3: Option<NotificationMode>,
    /// When the browsers tell you in which you turned it on; as mail where it is missing or `null`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub push: Option<NotificationMode>,
}

/// What you want to be told of one kind from now on (`PUT /me/notification-preferences`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({
    "kind": "mentioned", "inApp": true, "email": "immediate", "chat_2": "digest",
}))]
pub struct SetNotificationPreference {
    /// The kind.
    pub kind: NotificationKind,
    /// Whether it is in your inbox. If not, you are told of it nowhere.
    pub in_app: bool,
    /// When it is mailed.
    pub email: NotificationMode,
    /// When Telegram tells you; with `null` as the organization suggests, or else as mail.
    #[serde(rename = "chat_1", default)]
    pub chat_1: Option<NotificationMode>,
    /// When Slack tells you; the same.
    #[serde(rename = "chat_2", default)]
    pub chat_2: Option<NotificationMode>,
    /// When Discord tells you; the same.
    #[serde(rename = "chat_3", default)]
    pub chat_3: Option<NotificationMode>,
    /// When the browsers tell you in which you turned it on; as mail where it is missing or `null`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub push: Option<NotificationMode>,
}

/// What an organization suggests for one kind; `null` suggests nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({
    "kind": "transitioned", "email": "digest", "chat_1": null, "chat_2": null, "chat_3": null,
}))]
pub struct NotificationDefault {
    /// The kind.
    pub kind: NotificationKind,
    /// When it is mailed.
    #[serde(default)]
    pub email: Option<NotificationMode>,
    /// When Telegram tells of it.
    #[serde(rename = "chat_1", default)]
    pub chat_1: Option<NotificationMode>,
    /// When Slack tells of it.
    #[serde(rename = "chat_2", default)]
    pub chat_2: Option<NotificationMode>,
    /// When Discord tells of it.
    #[serde(rename = "chat_3", default)]
    pub chat_3: Option<NotificationMode>,
}

/// All that an organization suggests (`PUT /orgs/{slug}/notification-defaults`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "defaults": [{"kind": "transitioned", "email": "digest"}] }))]
pub struct NotificationDefaults {
    /// One for each kind. Kinds that are left out, or suggest nothing, have no default.
    pub defaults: Vec<NotificationDefault>,
}

/// When your digests are sent, and what you do not want to hear of (`GET` and `PATCH /me/notification-settings`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(example = serde_json::json!({
    "digestHour": 8, "timeZone": "Europe/Berlin",
    "mutes": [{"what": "project", "organizationId": "0197a1b2-0000-7000-8000-000000000001", "key": "PRJ"}],
    "inForce": [{
        "kind": "mentioned", "organization": null,
        "email": {"mode": "immediate", "from": "usual", "otherwise": "immediate"},
        "chat_1": {"mode": "off", "from": "you", "otherwise": "immediate"},
        "chat_2": {"mode": "immediate", "from": "mail", "otherwise": "immediate"},
        "chat_3": {"mode": "immediate", "from": "mail", "otherwise": "immediate"},
        "push": {"mode": "immediate", "from": "mail", "otherwise": "immediate"},
    }],
}))]
pub struct NotificationSettings {
    /// Hour of the day at which digests are sent, 0 to 23.
    pub digest_hour: u8,
    /// IANA name of the time zone of that hour.
    pub time_zone: String,
    /// What you do not want to hear of.
    pub mutes: Vec<Mute>,
    /// Why mail does not get to you and what to do, in a sentence; absent while it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"This instance sends no mail. Its operator can turn it on with the `Mail` settings.")]
    pub mail_problem: Option<String>,
    /// When you are told of each kind as things are: one entry for each kind of which an organization of yours suggests
    /// something, and one for all others, unless each does.
    #[serde(default)]
    pub in_force: Vec<NotificationInForce>,
}

/// When you are told of a kind, and who says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationInForce {
    /// The kind.
    pub kind: NotificationKind,
    /// Slug of the organization; `null` for all that suggest nothing of the kind.
    #[serde(default)]
    #[schemars(example = &"acme")]
    pub organization: Option<String>,
    /// By mail.
    pub email: ModeInForce,
    /// By Telegram, where it is connected.
    #[serde(rename = "chat_1")]
    pub chat_1: ModeInForce,
    /// By Slack, where it is connected.
    #[serde(rename = "chat_2")]
    pub chat_2: ModeInForce,
    /// By Discord, where it is connected.
    #[serde(rename = "chat_3")]
    pub chat_3: ModeInForce,
    /// In the browsers in which you turned it on.
    pub push: ModeInForce,
}

/// A mode, and who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModeInForce {
    /// When you are told.
    pub mode: NotificationMode,
    /// Who says so.
    pub from: NotificationSource,
    /// When you would be told if you said nothing of this medium: the organization's default, else as mail, else the
    /// usual mode.
    pub otherwise: NotificationMode,
}

/// Who says when you are told of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum NotificationSource {
    /// You.
    You,
    /// The organization's default.
    Organization,
    /// It follows mail.
    Mail,
    /// Nobody: it is the usual one.
    Usual,
    /// Somebody whom this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Changes when your digests are sent, and what you do not want to hear of (`PATCH /me/notification-settings`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "digestHour": 7, "timeZone": "Europe/Berlin" }))]
pub struct ChangeNotificationSettings {
    /// Hour of the day at which digests are sent, 0 to 23.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u8")]
    pub digest_hour: Option<u8>,
    /// IANA name of the time zone of that hour.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub time_zone: Option<String>,
    /// All that you do not want to hear of, at most 500.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<SetMute>")]
    pub mutes: Option<Vec<SetMute>>,
}

/// Something that you do not want to hear of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(example = serde_json::json!({
    "what": "item", "organizationId": "0197a1b2-0000-7000-8000-000000000001", "key": "PRJ-12",
}))]
pub struct Mute {
    /// What it is.
    pub what: MutedThing,
    /// Id of the organization of an item or project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<String>,
    /// Key of the item or project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Id of the agent. You still hear when it needs you, fails or mentions you.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
}

/// Something that you do not want to hear of from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "what": "agent", "agentId": "0197a1b2-0000-7000-8000-000000000002" }))]
pub struct SetMute {
    /// What it is.
    pub what: MutedThing,
    /// Id of the organization of an item or project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_id: Option<String>,
    /// Key of the item or project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Id of the agent. You still hear when it needs you, fails or mentions you.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
}

impl From<Mute> for SetMute {
    fn from(Mute { what, organization_id, key, agent_id }: Mute) -> Self {
        Self { what, organization_id, key, agent_id }
    }
}

/// What can be muted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum MutedThing {
    /// An item.
    Item,
    /// Everything in a project.
    Project,
    /// What an agent does.
    Agent,
    /// Something that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

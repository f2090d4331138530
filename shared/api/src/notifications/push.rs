//! Browsers in which people are told: web push.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A browser in which you are told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushSubscription {
    /// Id: that of the browser's session. When the session ends, so does this.
    pub id: String,
    /// Name, such as `Firefox · Linux`.
    pub name: String,
    /// Where it leads: the host of its push service, and the last characters of the address.
    pub target: String,
    /// Whether it is the browser that asks.
    pub current: bool,
    /// Why the last message did not arrive.
    #[serde(default)]
    pub last_error: Option<String>,
    /// When it was turned on.
    pub created_at: Timestamp,
}

/// The browsers in which you are told (`GET /me/push-subscriptions`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushSubscriptions {
    /// The key with which a browser subscribes (`applicationServerKey`), in Base64 for addresses; `null` where this
    /// instance cannot send to browsers.
    #[serde(default)]
    pub public_key: Option<String>,
    /// The browsers, oldest first.
    pub subscriptions: Vec<PushSubscription>,
}

/// Has the browser that asks be told (`POST /me/push-subscriptions`), as `PushSubscription.toJSON()` describes it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({
    "endpoint": "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV", "name": "Firefox · Linux",
    "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
}))]
pub struct NewPushSubscription {
    /// Where the browser's push service takes messages. It is never shown again.
    pub endpoint: String,
    /// The keys that messages are encrypted with.
    pub keys: PushKeys,
    /// When the subscription ends by itself; it is not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expiration_time: Option<f64>,
    /// Name for people, at most 80 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// The keys of a browser's subscription, in Base64 for addresses.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PushKeys {
    /// The public key of the browser.
    pub p256dh: String,
    /// The secret that it shares.
    pub auth: String,
}

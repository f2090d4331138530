//! An organization's connection with the code host (specification sections 2.4 and 5).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Actor;

/// The code host of the instance, and the organization's connection to it (`GET /orgs/{slug}/code-host`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(example = serde_json::json!({
    "available": true, "url": "https://github.com",
    "connection": {
        "account": "acme", "connectedAt": "2026-01-05T09:00:00Z",
        "connectedBy": {"id": "0197a1b2-0000-7000-8000-000000000001", "name": "Ada", "agent": false},
    },
}))]
pub struct CodeHost {
    /// Whether the instance has a code host; its operator configures one under `[CodeHost]`.
    pub available: bool,
    /// Its address.
    #[serde(default)]
    pub url: Option<String>,
    /// The connection; absent while there is none.
    #[serde(default)]
    pub connection: Option<CodeHostConnection>,
    /// The webhook through which a code host reports pull requests; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook: Option<Webhook>,
}

/// An organization's connection to an account at the code host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeHostConnection {
    /// Name of the account.
    #[schemars(example = &"acme")]
    pub account: String,
    /// When it was connected.
    pub connected_at: Timestamp,
    /// Who connected it.
    pub connected_by: Actor,
}

/// Begins to connect the organization (`POST /orgs/{slug}/code-host`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "returnTo": "/o/demo/settings" }))]
pub struct ConnectCodeHost {
    /// Path of this service to return to, without a fragment; the start page when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub return_to: Option<String>,
}

/// The address where the caller's browser installs the app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeHostDeparture {
    /// Address at the code host.
    #[schemars(example = &"https://github.com/apps/svc/installations/new")]
    pub install_url: String,
    /// When the attempt expires.
    pub expires_at: Timestamp,
}

/// An organization's webhook.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// When it was made.
    pub created_at: Timestamp,
    /// Who made it.
    pub created_by: Actor,
}

/// A new webhook with its secret, which is shown only once (`POST /orgs/{slug}/code-host/webhook`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewWebhook {
    /// Address to deliver to.
    #[schemars(example = &"https://svc.example.com/api/v1/code-host/deliveries/svw_k3Jd…")]
    pub url: String,
    /// Secret that the code host signs its deliveries with.
    #[schemars(example = &"svk_x8Qm…")]
    pub secret: String,
    /// When it was made.
    pub created_at: Timestamp,
}

//! Sign-in with an identity provider (OpenID Connect).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Begins a sign-in with the identity provider (`POST /auth/oidc/start`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "returnTo": "/orgs/demo" }))]
pub struct StartProviderSignIn {
    /// Path of this service to return to, without a fragment; the start page when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub return_to: Option<String>,
    /// Secret of an invitation to accept during the sign-in, which begins with `svi_`. A person without an
    /// account gets one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// Connects the account that is signed in, instead of signing in.
    #[serde(default)]
    pub connect: bool,
    /// The password of the account to connect, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_password: Option<String>,
}

/// Where the browser goes to sign in. The answer also sets a cookie, which the browser must send when it
/// comes back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProviderSignIn {
    /// Address at the identity provider.
    #[schemars(example = &"https://login.example.com/authorize?state=…")]
    pub address: String,
}

//! The caller's own account: profile, password and sessions (specification section 5).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Changes the caller's account (`PATCH /me`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "version": 1, "displayName": "Ada Lovelace" }))]
pub struct UpdateMe {
    /// The version last read.
    pub version: u64,
    /// New name.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub display_name: Option<String>,
    /// New address to sign in with. It takes effect when it is confirmed with the link that is mailed there.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub email: Option<String>,
    /// The current password; required for a new address if the account has a password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_password: Option<String>,
}

/// Replaces the caller's password (`POST /auth/password`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangePassword {
    /// The current password; required if the account has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_password: Option<String>,
    /// At least 10 characters.
    pub new_password: String,
    /// Whether access tokens go on working; they end with the old password otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep_tokens: bool,
}

/// Requests a password reset link (`POST /auth/password/forgot`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ForgotPassword {
    /// Address of the account.
    pub email: String,
}

/// Sets a new password with a link (`POST /auth/password/reset`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResetPassword {
    /// The part of the link after `#`; begins with `svr_`.
    pub secret: String,
    /// At least 10 characters.
    pub new_password: String,
}

/// Confirms a new address with the link that was mailed there (`POST /auth/email/confirm`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConfirmEmail {
    /// The part of the link after `#`; begins with `sve_`.
    pub secret: String,
}

/// A session of the caller (`GET /me/sessions`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Id.
    pub id: String,
    /// The `User-Agent` header of the sign-in.
    #[schemars(example = &"Firefox on Linux")]
    pub client: String,
    /// When the person signed in.
    pub created_at: Timestamp,
    /// When it was last renewed.
    pub renewed_at: Timestamp,
    /// When it ends unless it is renewed.
    pub expires_at: Timestamp,
    /// Whether it is the session of this request.
    pub current: bool,
}

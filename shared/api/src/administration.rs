//! The administration of the instance (`/admin`).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::OrgRole;
use crate::page::{any_integer, clamped};

/// How the instance does (`GET /admin`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Instance {
    /// Version of the service.
    pub version: String,
    /// How the store does: `well`, `full`, `readsOnly`, `away`, `lost` or `attachmentsLost`.
    pub store: String,
    /// Whether the instance sends mail.
    pub mail: bool,
    /// Since when mail fails; absent while it works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail_failing_since: Option<Timestamp>,
    /// Why mail fails; absent while it works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"535 wrong password")]
    pub mail_error: Option<String>,
    /// How many background messages failed for good (`GET /admin/dead-letters`).
    pub dead_letters: u64,
    /// How many organizations there are.
    pub organizations: u64,
    /// Bytes of the attachments of all organizations.
    pub stored_bytes: u64,
    /// The runners of all organizations, by version.
    pub runners: Vec<RunnerVersion>,
}

/// The runners of one version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunnerVersion {
    /// The version; absent for runners that never said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"1.4.0")]
    pub version: Option<String>,
    /// How many runners have it.
    pub runners: u64,
    /// How many of them are online.
    pub online: u64,
}

/// An account, as admins of the instance see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// Id.
    pub id: String,
    /// Address to sign in with.
    pub email: String,
    /// Whether its owner has confirmed the address.
    pub email_verified: bool,
    /// Name shown to others.
    pub display_name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was disabled; absent while it can be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disabled_at: Option<Timestamp>,
    /// When its owner signed in last, as far as is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_sign_in_at: Option<Timestamp>,
    /// Whether it administers the instance.
    pub instance_admin: bool,
    /// The organizations that it belongs to, by slug.
    pub organizations: Vec<AccountMembership>,
}

/// That an account belongs to an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountMembership {
    /// Slug of the organization.
    pub slug: String,
    /// Role in it.
    pub role: OrgRole,
}

/// A link to a new password (`POST /admin/accounts/{id}/password-link`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordLink {
    /// Whether the link is on its way to the address of the account.
    pub mailed: bool,
    /// The link, to be handed to the owner of the account; absent where it is mailed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"https://tracker.example/reset-password#svr_0123")]
    pub link: Option<String>,
}

/// An organization, as admins of the instance see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstanceOrganization {
    /// Part of every address.
    pub slug: String,
    /// Name shown to people.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// Addresses of its Owners.
    pub owners: Vec<String>,
    /// How many members it has.
    pub members: u64,
    /// How many items were made in its projects.
    pub items: u64,
    /// Bytes of its attachments.
    pub stored_bytes: u64,
    /// The plan that it is on; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"hosted")]
    pub plan: Option<Plan>,
    /// Whether it accepts no changes.
    pub read_only: bool,
}

/// What an organization of a hosted service is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Plan {
    /// The hosted offer.
    Hosted,
    /// The hosted offer, being tried.
    Evaluation,
    /// The free tier.
    Free,
    /// A plan that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Puts an organization on a plan (`PUT /admin/orgs/{slug}/plan`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetPlan {
    /// The plan; absent or `null` for none.
    #[serde(default)]
    pub plan: Option<Plan>,
}

/// What came of a mail that was sent as a test (`POST /admin/mail-test`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MailTest {
    /// Whom it was sent to: the admin who asked.
    pub to: String,
    /// Whether the mail server took it. It may still not arrive.
    pub taken: bool,
    /// Why the mail server did not take it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"535 wrong password")]
    pub error: Option<String>,
}

/// A background message that failed for good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeadLetter {
    /// When it was given up.
    pub at: Timestamp,
    /// What it asks for, such as `mailInvitation`.
    pub kind: String,
    /// How often it was tried.
    pub attempts: u32,
    /// Why the last attempt failed.
    pub error: String,
}

/// Messages that were sent again (`POST /admin/dead-letters/replay`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Replayed {
    /// How many.
    pub messages: u64,
}

/// Which accounts or organizations are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdminListQuery {
    /// Only those with this text in the address, the name or the slug, whatever its case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"ada@")]
    pub q: Option<String>,
    /// One-based page number; 1 when absent.
    #[serde(default, deserialize_with = "clamped", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "any_integer")]
    pub page: Option<u32>,
    /// Entries per page; 50 when absent, at most 100.
    #[serde(default, deserialize_with = "clamped", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "any_integer")]
    pub page_size: Option<u32>,
}

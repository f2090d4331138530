//! Sign-in, tokens, organizations and their members (specification sections 1.6, 2.9, 5).

mod account;
mod actor;
mod audit;
mod groups;
mod invitations;
mod provider;

pub use account::{ChangePassword, ConfirmEmail, ForgotPassword, ResetPassword, Session, UpdateMe};
pub use actor::Actor;
pub use audit::{AuditEntry, AuditPage, AuditQuery};
pub use groups::{CreatedScimToken, GroupRole, GroupRoles, NewScimToken, ScimToken, SetGroupRoles};
pub use invitations::{
    AcceptInvitation, AcceptedInvitation, Invitation, InvitationDelivery, InvitationPreset, InvitationSecret,
    InvitationState, NewInvitation, ReceivedInvitation, ResendQuery,
};

pub use provider::{ProviderSignIn, StartProviderSignIn};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::deletion::Deletion;

/// Whether the instance still needs its first account (`GET /auth/setup`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetupStatus {
    /// True until the first account exists; `POST /auth/register` answers 403 afterwards.
    pub needed: bool,
    /// Name of the identity provider, if people can sign in with one (`POST /auth/oidc/start`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"Acme single sign-on")]
    pub provider: Option<String>,
}

/// Creates the first account and the first organization (`POST /auth/register`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Register {
    /// Address to sign in with.
    pub email: String,
    /// At least 10 characters.
    pub password: String,
    /// Name shown to others.
    pub display_name: String,
    /// The organization that this account will own.
    pub organization: NewOrganization,
}

/// A new organization.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewOrganization {
    /// 2 to 40 lower-case letters, digits and hyphens; part of every address.
    pub slug: String,
    /// Name shown to people.
    pub name: String,
}

/// Password sign-in (`POST /auth/login`). The answer sets the cookie `svc.at`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Login {
    /// Address of the account.
    pub email: String,
    /// Its password.
    pub password: String,
}

/// The caller (`GET /me`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// Id of the account; with a run's token, id of the agent.
    pub id: String,
    /// Address of the account; absent for agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// New address that is not confirmed yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"ada@example.org")]
    pub new_email: Option<String>,
    /// Name shown to others.
    pub display_name: String,
    /// Whether the caller is an agent.
    pub agent: bool,
    /// Scopes of the credential used: `read`, `write`, `admin`, `mcp`.
    pub scopes: Vec<String>,
    /// Organizations that this credential can see.
    pub organizations: Vec<Organization>,
    /// Current version of the account; absent for agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Whether the account is connected to the identity provider; absent if it is not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub connected: bool,
    /// Key of the caller's picture (`GET /avatars/{id}`); absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"9f2c4e1ab07d")]
    pub avatar_key: Option<String>,
    /// Whether the caller administers the instance (`/admin`); absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub instance_admin: bool,
    /// Whether the caller may create organizations (`POST /orgs`). Servers that do not say so permit it.
    #[serde(default = "yes")]
    pub can_create_organizations: bool,
}

const fn yes() -> bool {
    true
}

/// An organization as its members see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Organization {
    /// Id.
    pub id: String,
    /// Part of every address.
    pub slug: String,
    /// Name shown to people.
    pub name: String,
    /// The caller's role in it.
    pub role: OrgRole,
    /// Whether the caller may start AI work here.
    pub can_operate_factory: bool,
    /// A read-only organization accepts no changes.
    pub read_only: bool,
    /// Current version.
    pub version: u64,
    /// Set for an organization that was deleted and can be restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion: Option<Deletion>,
}

/// Query of the deletion of an organization (`DELETE /orgs/{slug}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeleteOrganizationQuery {
    /// The organization's slug, as confirmation. Required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<String>,
}

/// Changes an organization (`PATCH /orgs/{slug}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "version": 1, "name": "Demo Ltd" }))]
pub struct UpdateOrganization {
    /// The version last read.
    pub version: u64,
    /// New name; needs an Owner or Admin.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// Whether it accepts no changes; needs an Owner.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub read_only: Option<bool>,
}

/// Role of a member of an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum OrgRole {
    /// May do everything.
    Owner,
    /// May do everything except manage Owners and make the organization read-only.
    Admin,
    /// Works in their projects.
    Member,
    /// Reads, comments and reacts in the projects they were added to.
    Guest,
    /// A role that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Role of a member of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ProjectRole {
    /// Configures the project.
    Admin,
    /// Works in the project.
    Member,
    /// A role that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// A member of an organization.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Id of the account; empty for an invited person who has not joined.
    pub user_id: String,
    /// Address of the account; only Owners, Admins and the person get it, for others it is empty.
    pub email: String,
    /// Name shown to others; the address for an invited person who has not joined.
    pub display_name: String,
    /// Role in the organization.
    pub role: OrgRole,
    /// The flag `Can start AI work`.
    pub can_start_ai_work: bool,
    /// Key of their picture (`GET /avatars/{id}`); absent if they have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"9f2c4e1ab07d")]
    pub avatar_key: Option<String>,
    /// Current version.
    pub version: u64,
    /// The invitation of a person who has not joined. Only in the answer of `POST /orgs/{slug}/members`,
    /// which then has no account id and the version 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<Invitation>,
}

/// Adds a person to an organization by inviting their address (`POST /orgs/{slug}/members`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddMember {
    /// Address to invite.
    pub email: String,
    /// Not used: people choose their name when they join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Refused: people choose their password when they join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// Role in the organization. Only people who have joined can become Owners.
    pub role: OrgRole,
    /// The flag `Can start AI work`; applies only to the role Member.
    #[serde(default)]
    pub can_start_ai_work: bool,
}

/// Changes a member (`PATCH /orgs/{slug}/members/{userId}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateMember {
    /// The version last read.
    pub version: u64,
    /// New role.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "OrgRole")]
    pub role: Option<OrgRole>,
    /// New value of the flag.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub can_start_ai_work: Option<bool>,
}

/// A member of a project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectMember {
    /// Id of the account.
    pub user_id: String,
    /// Name shown to others.
    pub display_name: String,
    /// Role in the project.
    pub role: ProjectRole,
    /// Version of the membership, sent back with changes.
    pub version: u64,
}

/// Sets a project role (`PUT …/projects/{key}/members/{userId}`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetProjectMember {
    /// Role in the project.
    pub role: ProjectRole,
    /// The version last read, 0 for a person who is not in the project yet. Without it, a role can be given
    /// or raised but not lowered: that gets 409 with the `currentVersion` to send.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

/// What a token may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// Read.
    Read,
    /// Create and change.
    Write,
    /// Administer organizations and the account.
    Admin,
    /// Use the MCP endpoint; the token must also be bound to one organization.
    Mcp,
    /// A scope that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Creates a personal access token (`POST /me/tokens`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewToken {
    /// What the token is for.
    pub name: String,
    /// At least one scope.
    pub scopes: Vec<Scope>,
    /// Slug of the only organization that it can see; all organizations of the caller when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<String>,
    /// When it stops working; never when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

/// A personal access token without its secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    /// Id.
    pub id: String,
    /// What the token is for.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// Slug of the only organization it can see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it stops working.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to the hour; absent if it was not used in the last year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
    /// Whether it is the token of this request.
    #[serde(default)]
    pub current: bool,
}

/// A new token with its secret, which is shown only once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedToken {
    /// The token.
    pub token: Token,
    /// Send it as `Authorization: Bearer <secret>`.
    pub secret: String,
}

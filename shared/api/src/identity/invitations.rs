//! Invitations to an organization (specification section 2.9).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Actor, Organization};

/// What somebody is invited as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum InvitationPreset {
    /// Works in the projects it belongs to.
    Member,
    /// Administers the organization.
    Admin,
    /// Reads, comments and reacts in the projects it was added to.
    Guest,
    /// A Member with access to one project, who starts no AI work and sees none of it.
    Stakeholder,
    /// A preset that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Where an invitation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum InvitationState {
    /// It can be accepted.
    Pending,
    /// Its time is over; it can be sent again.
    Expired,
    /// The person joined.
    Accepted,
    /// It was withdrawn.
    Revoked,
    /// A state that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// What became of an invitation's mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum InvitationDelivery {
    /// The instance sends no mail: pass the link on.
    ByHand,
    /// It waits to be sent.
    Waiting,
    /// The mail server took it.
    Sent,
    /// The mail server will not take it: is the address right?
    Refused,
    /// Something that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// Invites somebody (`POST /orgs/{slug}/invitations`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "email": "ada@example.com", "preset": "stakeholder", "project": "PRJ" }))]
pub struct NewInvitation {
    /// Address to invite.
    pub email: String,
    /// As what.
    pub preset: InvitationPreset,
    /// Key of a project to belong to; required for a stakeholder, refused for an Admin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The flag `Can start AI work`; refused for Guests and stakeholders.
    #[serde(default)]
    pub can_start_ai_work: bool,
}

/// An invitation, as administrators see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// Id.
    pub id: String,
    /// Address that was invited.
    pub email: String,
    /// As what.
    pub preset: InvitationPreset,
    /// Key of the project to belong to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The flag `Can start AI work`.
    pub can_start_ai_work: bool,
    /// Who invited.
    pub invited_by: Actor,
    /// When.
    pub created_at: Timestamp,
    /// Where it stands.
    pub state: InvitationState,
    /// Until when it can be accepted; absent once it was accepted or withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// What became of its mail.
    pub delivery: InvitationDelivery,
    /// The link to pass on; only in the answer to who invited or sent again, and only where the instance
    /// sends no mail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"https://svc.example.com/join#jin_…")]
    pub link: Option<String>,
}

/// Names an invitation by its secret (`POST /auth/invitations/look`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InvitationSecret {
    /// What stands after the `#` of the link; begins with `svi_`.
    pub secret: String,
}

/// An invitation, as who holds its link sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReceivedInvitation {
    /// Name of the organization.
    pub organization: String,
    /// Address that was invited.
    pub email: String,
    /// As what.
    pub preset: InvitationPreset,
    /// Who invited.
    #[schemars(example = &"Ada")]
    pub invited_by: String,
    /// Whether there is an account of the address: sign in with it first.
    pub has_account: bool,
}

/// Joins with an invitation (`POST /auth/invitations/accept`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AcceptInvitation {
    /// What stands after the `#` of the link; begins with `svi_`.
    pub secret: String,
    /// Name of the account to make; left out by who is signed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Password of the account to make, at least 10 characters; left out by who is signed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
}

/// The organization that was joined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AcceptedInvitation {
    /// The organization.
    pub organization: Organization,
}

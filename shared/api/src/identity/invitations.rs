//! Invitations to an organization (specification section 2.9).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Actor, Organization};

/// Role of an invited person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum InvitationPreset {
    /// Works in their projects.
    Member,
    /// Administers the organization.
    Admin,
    /// Reads, comments and reacts in the projects they were added to.
    Guest,
    /// A Member with access to one project, who can neither start AI work nor see its details.
    Stakeholder,
    /// A preset that this program does not know.
    #[serde(other)]
    #[schemars(skip)]
    Unknown,
}

/// State of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum InvitationState {
    /// It can be accepted.
    Pending,
    /// It has expired; it can be sent again.
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

/// Delivery of an invitation's mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum InvitationDelivery {
    /// No mail is sent: pass the link on.
    ByHand,
    /// It is waiting to be sent.
    Waiting,
    /// The mail server accepted it.
    Sent,
    /// The mail server refused it: check the address.
    Refused,
    /// A state that this program does not know.
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
    /// The role that the person gets.
    pub preset: InvitationPreset,
    /// Key of a project to join; required for a stakeholder, refused for an Admin.
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
    /// The role that the person gets.
    pub preset: InvitationPreset,
    /// Key of the project to join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The flag `Can start AI work`.
    pub can_start_ai_work: bool,
    /// Who sent the invitation.
    pub invited_by: Actor,
    /// When it was created.
    pub created_at: Timestamp,
    /// State.
    pub state: InvitationState,
    /// When it expires; absent once it was accepted or withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// Delivery of its mail.
    pub delivery: InvitationDelivery,
    /// Why its mail has not been sent, as the mail server said it; absent while nothing went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"mail.example.com:587: 451 try later")]
    pub mail_error: Option<String>,
    /// The link to pass on. In the answers to inviting and resending if no mail is sent; while its mail fails, also in the
    /// list, for the one who invited and a token with the scope `admin`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"https://svc.example.com/join#jin_…")]
    pub link: Option<String>,
}

/// How an invitation is sent again (`POST …/invitations/{id}/resend`).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResendQuery {
    /// Answers with a link to pass on, and sends no mail.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
}

/// Views an invitation by its secret (`POST /auth/invitations/look`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InvitationSecret {
    /// The part of the link after `#`; begins with `svi_`.
    pub secret: String,
}

/// An invitation, as the invited person sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReceivedInvitation {
    /// Name of the organization.
    pub organization: String,
    /// Address that was invited.
    pub email: String,
    /// The role that the person gets.
    pub preset: InvitationPreset,
    /// Who sent the invitation.
    #[schemars(example = &"Ada")]
    pub invited_by: String,
    /// Whether the address has an account. If so, sign in with it first. Always `false` where the link did not come by
    /// mail, so that nobody learns of accounts by inviting addresses: sign in if you have an account all the same.
    pub has_account: bool,
}

/// Joins with an invitation (`POST /auth/invitations/accept`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AcceptInvitation {
    /// The part of the link after `#`; begins with `svi_`.
    pub secret: String,
    /// Name of the new account; leave it out when signed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Password of the new account, at least 10 characters; leave it out when signed in.
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

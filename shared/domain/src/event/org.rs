//! Events of organizations, their members and invitations.

use std::fmt;

use crate::identity::{Member, OrgRole};
use crate::ids::{ChannelId, InvitationId, OrgSlug, TokenId, UserId, ViewId, WebhookId};
use crate::invitation::Terms;

/// What a member may do: `member`, or `member, may start AI work`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Role.
    pub role: OrgRole,
    /// The flag `Can start AI work`.
    pub can_start_ai_work: bool,
}

impl Standing {
    /// That of a membership.
    pub const fn of(member: &Member) -> Self {
        Self { role: member.role, can_start_ai_work: member.can_start_ai_work }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flag = if self.can_start_ai_work { MAY_START } else { "" };
        write!(f, "{}{flag}", self.role)
    }
}

/// What is said of a person with the flag `Can start AI work`, after their role.
pub const MAY_START: &str = ", may start AI work";

/// What happens to an organization, its members and invitations.
#[derive(Clone, Debug, PartialEq)]
pub enum OrgEvent {
    /// An organization was created.
    Created(OrgSlug),
    /// An organization was renamed, from one name to another.
    Renamed(String, String),
    /// An organization became read-only, or writable again.
    ReadOnlySet(bool),
    /// An organization was deleted.
    Deleted,
    /// An organization was restored.
    Restored,
    /// A member was added.
    MemberAdded(UserId, Standing),
    /// A member's role or permission to start AI work changed: before and after.
    MemberChanged(UserId, Standing, Standing),
    /// A member is called otherwise: the name before and after.
    MemberRenamed(UserId, String, String),
    /// A member was removed, or left.
    MemberRemoved(UserId),
    /// An invitation was sent, or sent again.
    InvitationSent {
        /// The invitation.
        invitation: InvitationId,
        /// Who is invited.
        email: String,
        /// What accepting makes of them.
        terms: Terms,
        /// The generation of its link, where a worker mails it; `None` where the link is passed on by hand.
        mail: Option<u32>,
    },
    /// An invitation was withdrawn.
    InvitationRevoked(InvitationId),
    /// A person accepted an invitation.
    InvitationAccepted(InvitationId, UserId),
    /// Groups of the identity provider give other roles: which they gave before, and which they give now.
    GroupRolesChanged(String, String),
    /// A token of this name was made that writes the organization's directory.
    DirectoryTokenCreated(TokenId, String),
    /// A token of this name was revoked that wrote the organization's directory.
    DirectoryTokenRevoked(TokenId, String),
    /// What is in a person's inbox changed, or what they have read of it.
    InboxChanged(UserId),
    /// Something happened to a channel of the organization of this name.
    Channel(ChannelId, String, ChannelChange),
    /// Saved views that its people share changed.
    SharedViewsChanged,
    /// A saved view that its people share was deleted.
    ViewDeleted(ViewId, String),
    /// Something happened to an outbound webhook of this name.
    Webhook(WebhookId, String, WebhookChange),
    /// A person changed an outbound webhook of this name, disabled or enabled it: from what to what.
    WebhookChanged(WebhookId, String, String, String),
}

/// What happens to a channel of an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelChange {
    /// It was created.
    Created,
    /// Its name changed, or what it is told of.
    Changed,
    /// It was deleted.
    Deleted,
}

/// What happens to an outbound webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebhookChange {
    /// It was created.
    Created,
    /// It got a new secret.
    SecretRotated,
    /// It was deleted.
    Deleted,
    /// It failed for days, or its address is gone: it sends nothing any more.
    Disabled,
}

//! What the wire shows of invitations and sessions.

use jiff::Timestamp;
use svc_api::identity as wire;
use svc_app::identity::{Invited, ListedSession, Seen};
use svc_domain::invitation::{Invitation, State};

use crate::actor::actor;
use crate::words::Word as _;

/// An invitation with its link, where it goes by hand.
pub fn invited(invited: Invited, now: Timestamp) -> wire::Invitation {
    invitation(invited.invitation, invited.link, now)
}

/// An invitation at this time.
fn invitation(invitation: Invitation, link: Option<String>, now: Timestamp) -> wire::Invitation {
    let live = invitation.is_live(now);
    let (state, expires_at) = match invitation.state {
        State::Pending { expires_at, .. } if live => (wire::InvitationState::Pending, Some(expires_at)),
        State::Pending { expires_at, .. } => (wire::InvitationState::Expired, Some(expires_at)),
        State::Accepted { .. } => (wire::InvitationState::Accepted, None),
        State::Revoked { .. } => (wire::InvitationState::Revoked, None),
    };
    wire::Invitation {
        id: invitation.id.to_string(),
        email: invitation.email,
        preset: invitation.terms.preset.sent(),
        project: invitation.terms.project.map(|key| key.to_string()),
        can_start_ai_work: invitation.terms.can_start_ai_work,
        invited_by: actor(&invitation.by),
        created_at: invitation.created_at,
        state,
        expires_at,
        delivery: invitation.delivery.sent(),
        mail_error: invitation.undelivered.filter(|_| live).map(|undelivered| undelivered.why),
        link,
    }
}

/// An invitation as the invited person sees it.
pub fn received(seen: Seen) -> wire::ReceivedInvitation {
    wire::ReceivedInvitation {
        organization: seen.org,
        email: seen.invitation.email,
        preset: seen.invitation.terms.preset.sent(),
        invited_by: seen.invitation.by.name,
        has_account: seen.has_account,
    }
}

/// A session.
pub fn session(listed: ListedSession) -> wire::Session {
    wire::Session {
        id: listed.session.id.to_string(),
        client: listed.session.client,
        created_at: listed.session.created_at,
        renewed_at: listed.session.renewed_at,
        expires_at: listed.session.expires_at,
        current: listed.current,
    }
}

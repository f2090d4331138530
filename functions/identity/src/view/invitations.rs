//! Invitations and sessions, between the wire and the domain.

use jiff::Timestamp;
use svc_api::identity as wire;
use svc_app::identity::{Invited, Joining, JoiningAccount, ListedSession, NewInvitation, Seen};
use svc_domain::invitation::{Delivery, Invitation, Preset, State, Terms};
use svc_domain::refusal::{FieldErrors, Refusal};

use super::one_of;

/// An invitation to make, as received.
pub(crate) fn new_invitation(new: wire::NewInvitation) -> Result<NewInvitation, Refusal> {
    let preset = preset(new.preset)?;
    let key =
        |key: String| key.parse().map_err(|_| Refusal::invalid("project", "there is no project of this key"));
    let project = new.project.map(key).transpose()?;
    let terms = Terms { preset, project, can_start_ai_work: new.can_start_ai_work };
    Ok(NewInvitation { email: new.email, terms })
}

/// Who joins, as received.
pub(crate) fn joining(accept: wire::AcceptInvitation, client: String) -> Result<Joining, Refusal> {
    let account = match (accept.display_name, accept.password) {
        (Some(display_name), Some(password)) => Some(JoiningAccount { display_name, password }),
        (None, None) => None,
        (Some(_), None) => return Err(FieldErrors::one("password", "required beside displayName").into()),
        (None, Some(_)) => return Err(FieldErrors::one("displayName", "required beside password").into()),
    };
    Ok(Joining { secret: accept.secret, account, client })
}

pub(crate) fn invited(invited: Invited, now: Timestamp) -> wire::Invitation {
    invitation(invited.invitation, invited.link, now)
}

pub(crate) fn invitation(invitation: Invitation, link: Option<String>, now: Timestamp) -> wire::Invitation {
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
        preset: sent_preset(invitation.terms.preset),
        project: invitation.terms.project.map(|key| key.to_string()),
        can_start_ai_work: invitation.terms.can_start_ai_work,
        invited_by: wire::Actor {
            id: invitation.by.id.to_string(),
            name: invitation.by.name,
            agent: invitation.by.id.is_agent(),
        },
        created_at: invitation.created_at,
        state,
        expires_at,
        delivery: delivery(invitation.delivery),
        link,
    }
}

pub(crate) fn received(seen: Seen) -> wire::ReceivedInvitation {
    wire::ReceivedInvitation {
        organization: seen.org,
        email: seen.invitation.email,
        preset: sent_preset(seen.invitation.terms.preset),
        invited_by: seen.invitation.by.name,
        has_account: seen.has_account,
    }
}

pub(crate) fn session(listed: ListedSession) -> wire::Session {
    wire::Session {
        id: listed.session.id.to_string(),
        client: listed.session.client,
        created_at: listed.session.created_at,
        renewed_at: listed.session.renewed_at,
        expires_at: listed.session.expires_at,
        current: listed.current,
    }
}

fn preset(preset: wire::InvitationPreset) -> Result<Preset, Refusal> {
    match preset {
        wire::InvitationPreset::Member => Ok(Preset::Member),
        wire::InvitationPreset::Admin => Ok(Preset::Admin),
        wire::InvitationPreset::Guest => Ok(Preset::Guest),
        wire::InvitationPreset::Stakeholder => Ok(Preset::Stakeholder),
        wire::InvitationPreset::Unknown => Err(one_of("preset", Preset::ALL)),
    }
}

const fn sent_preset(preset: Preset) -> wire::InvitationPreset {
    match preset {
        Preset::Member => wire::InvitationPreset::Member,
        Preset::Admin => wire::InvitationPreset::Admin,
        Preset::Guest => wire::InvitationPreset::Guest,
        Preset::Stakeholder => wire::InvitationPreset::Stakeholder,
    }
}

const fn delivery(delivery: Delivery) -> wire::InvitationDelivery {
    match delivery {
        Delivery::ByHand => wire::InvitationDelivery::ByHand,
        Delivery::Waiting => wire::InvitationDelivery::Waiting,
        Delivery::Sent => wire::InvitationDelivery::Sent,
        Delivery::Refused => wire::InvitationDelivery::Refused,
    }
}

//! Invitations to an organization (specification section 2.9): who is invited as what, and the machine of an
//! invitation's life.
//!
//! | state    | resend                      | revoke             | accept                                  |
//! |----------|-----------------------------|--------------------|-----------------------------------------|
//! | pending  | pending, new link, new term | revoked, link dead | accepted, if in time and the newest link |
//! | expired  | pending, new link, new term | revoked            | refused                                 |
//! | accepted | refused                     | refused            | refused                                 |
//! | revoked  | refused                     | refused            | refused                                 |
//!
//! *Expired* is not stored: it is a pending invitation whose term is over. A link belongs to a *generation*;
//! sending again makes the next one, so that an older link leads nowhere. Holds no secret and reads no clock.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::identity::{OrgRole, ProjectRole};
use crate::ids::{Actor, InvitationId, ProjectKey, UserId};
use crate::refusal::{FieldErrors, Refusal};
use crate::word::word_enum;

word_enum! {
    /// The role that an invitation offers.
    Preset {
        /// Works in the projects it belongs to.
        Member = "member",
        /// Administers the organization.
        Admin = "admin",
        /// Reads, comments and reacts in the projects it was added to.
        Guest = "guest",
        /// A Member with access to one project and without AI work (specification section 2.9).
        Stakeholder = "stakeholder",
    }
}

word_enum! {
    /// What became of an invitation's mail.
    Delivery {
        /// The instance sends no mail: the inviter passes the link on.
        ByHand = "byHand",
        /// It is waiting to be sent.
        Waiting = "waiting",
        /// The mail server took it.
        Sent = "sent",
        /// The mail server will not take it: the address is probably wrong.
        Refused = "refused",
    }
}

/// What accepting makes of the invited person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Terms {
    /// As what.
    pub preset: Preset,
    /// The project to belong to, as its Member.
    pub project: Option<ProjectKey>,
    /// The flag `Can start AI work`.
    pub can_start_ai_work: bool,
}

impl Terms {
    /// The terms that give membership in this role. The flag means something for Members only.
    ///
    /// # Errors
    /// What is wrong with `role`.
    pub fn of_role(role: OrgRole, can_start_ai_work: bool) -> Result<Self, FieldErrors> {
        let preset = match role {
            OrgRole::Owner => {
                let why = "nobody can be invited as an Owner: invite them as an Admin, and make them an Owner after \
                they join";
                return Err(FieldErrors::one("role", why));
            }
            OrgRole::Admin => Preset::Admin,
            OrgRole::Member => Preset::Member,
            OrgRole::Guest => Preset::Guest,
        };
        let can_start_ai_work = can_start_ai_work && role == OrgRole::Member;
        Ok(Self { preset, project: None, can_start_ai_work })
    }

    /// The terms, if they make sense together.
    ///
    /// # Errors
    /// What is wrong with `project` or `canStartAiWork`.
    pub fn checked(self) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        match (self.preset, &self.project) {
            (Preset::Stakeholder, None) => {
                errors.add("project", "a stakeholder sees one project: give its key");
            }
            (Preset::Admin, Some(_)) => {
                errors.add("project", "an Admin sees every project: leave this out");
            }
            (Preset::Stakeholder, Some(_)) | (Preset::Member | Preset::Guest, _) | (Preset::Admin, None) => {}
        }
        if self.can_start_ai_work && matches!(self.preset, Preset::Guest | Preset::Stakeholder) {
            errors.add("canStartAiWork", "Guests and stakeholders cannot start AI work");
        }
        errors.into_result()?;
        Ok(self)
    }

    /// Role in the organization.
    pub const fn role(&self) -> OrgRole {
        match self.preset {
            Preset::Member | Preset::Stakeholder => OrgRole::Member,
            Preset::Admin => OrgRole::Admin,
            Preset::Guest => OrgRole::Guest,
        }
    }

    /// Role in the project, where there is one.
    pub const fn project_role(&self) -> ProjectRole {
        ProjectRole::Member
    }
}

/// An invitation as stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// Id.
    pub id: InvitationId,
    /// The invited address.
    pub email: String,
    /// As what.
    pub terms: Terms,
    /// The inviter.
    pub by: Actor,
    /// When.
    pub created_at: Timestamp,
    /// Where it stands.
    pub state: State,
    /// What became of its mail.
    pub delivery: Delivery,
    /// Why its mail has not been sent; `None` where nothing went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undelivered: Option<Undelivered>,
}

/// An invitation whose mail did not go out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Undelivered {
    /// What the mail server said.
    pub why: String,
    /// A link of the same generation to be passed on by hand, sealed; `None` where the instance has no key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// Where an invitation stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "state")]
pub enum State {
    /// It waits to be accepted, in time.
    #[serde(rename_all = "camelCase")]
    Pending {
        /// Which link works: that of this count.
        generation: u32,
        /// When it can no longer be accepted.
        expires_at: Timestamp,
    },
    /// The person joined.
    Accepted {
        /// Who.
        by: UserId,
        /// When.
        at: Timestamp,
    },
    /// It was withdrawn.
    Revoked {
        /// When.
        at: Timestamp,
    },
}

/// What happens to an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A new link is wanted, that works until then.
    Resend {
        /// End of the new term.
        until: Timestamp,
    },
    /// It is withdrawn.
    Revoke,
    /// The holder of the link of a generation joins.
    Accept {
        /// Who.
        by: UserId,
        /// Of the link.
        generation: u32,
    },
}

/// What follows from an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A link of this generation goes out.
    SendLink(u32),
    /// The address may be invited again.
    FreeAddress,
    /// The person becomes a member.
    Join,
}

/// The state after an event, and what follows.
///
/// # Errors
/// [`Refusal::Conflict`], which says what became of the invitation.
pub fn step(state: &State, event: Event, now: Timestamp) -> Result<(State, Vec<Effect>), Refusal> {
    match (state, event) {
        (State::Pending { generation, .. }, Event::Resend { until }) => {
            let generation = generation + 1;
            Ok((State::Pending { generation, expires_at: until }, vec![Effect::SendLink(generation)]))
        }
        (State::Pending { .. }, Event::Revoke) => Ok((State::Revoked { at: now }, vec![Effect::FreeAddress])),
        (State::Pending { expires_at, .. }, Event::Accept { .. }) if *expires_at <= now => Err(EXPIRED),
        (State::Pending { generation, .. }, Event::Accept { generation: shown, .. })
            if *generation != shown =>
        {
            Err(SUPERSEDED)
        }
        (State::Pending { .. }, Event::Accept { by, .. }) => {
            Ok((State::Accepted { by, at: now }, vec![Effect::FreeAddress, Effect::Join]))
        }
        (State::Accepted { .. }, Event::Resend { .. } | Event::Revoke | Event::Accept { .. }) => {
            Err(ACCEPTED)
        }
        (State::Revoked { .. }, Event::Resend { .. } | Event::Revoke | Event::Accept { .. }) => Err(REVOKED),
    }
}

const EXPIRED: Refusal = Refusal::Conflict("this invitation has expired; ask for a new one");
const SUPERSEDED: Refusal = Refusal::Conflict("this invitation was sent again; use the newest link");
const ACCEPTED: Refusal = Refusal::Conflict("this invitation has already been accepted");
const REVOKED: Refusal = Refusal::Conflict("this invitation was withdrawn; ask for a new one");

impl Invitation {
    /// Whether it keeps its address from being invited again.
    pub fn is_live(&self, now: Timestamp) -> bool {
        matches!(self.state, State::Pending { expires_at, .. } if now < expires_at)
    }

    /// Whether it was sent to this address.
    pub fn is_for(&self, email: &str) -> bool {
        self.email.trim().to_lowercase() == email.trim().to_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, Preset, State, Terms, step};
    use crate::identity::OrgRole;
    use crate::ids::UserId;
    use jiff::{SignedDuration, Timestamp};
    use uuid::Uuid;

    const NOW: Timestamp = Timestamp::constant(1_000_000, 0);

    fn hours(hours: i64) -> Timestamp {
        NOW + SignedDuration::from_hours(hours)
    }

    #[test]
    fn every_state_times_every_event() {
        let by = UserId(Uuid::from_u128(1));
        let states = [
            ("pending", State::Pending { generation: 2, expires_at: hours(1) }),
            ("pending, at its end", State::Pending { generation: 2, expires_at: NOW }),
            ("accepted", State::Accepted { by, at: hours(-1) }),
            ("revoked", State::Revoked { at: hours(-1) }),
        ];
        let events = [
            ("resend", Event::Resend { until: hours(168) }),
            ("revoke", Event::Revoke),
            ("accept", Event::Accept { by, generation: 2 }),
            ("accept, older link", Event::Accept { by, generation: 1 }),
        ];
        let mut table = String::new();
        for (from, state) in &states {
            for (what, event) in events {
                let answer = match step(state, event, NOW) {
                    Ok((State::Pending { generation, expires_at }, effects)) => {
                        let left = expires_at.duration_since(NOW).as_hours();
                        format!("pending, link {generation} for {left} h {effects:?}")
                    }
                    Ok((State::Accepted { .. }, effects)) => format!("accepted {effects:?}"),
                    Ok((State::Revoked { .. }, effects)) => format!("revoked {effects:?}"),
                    Err(refusal) => format!("refused: {refusal}"),
                };
                table += &format!("{from:20} {what:19} {answer}\n");
            }
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn every_role_but_the_owner_s_is_given_by_invitation() {
        let mut table = String::new();
        for role in OrgRole::ALL {
            let answer = match Terms::of_role(*role, true) {
                Ok(terms) => {
                    assert_eq!(terms.clone().checked().map(|terms| terms.role()), Ok(*role));
                    format!("{}, AI {}", terms.preset, terms.can_start_ai_work)
                }
                Err(errors) => format!("{:?}", errors.0.keys().collect::<Vec<_>>()),
            };
            table += &format!("{role}: {answer}\n");
        }
        insta::assert_snapshot!(table, @r#"
        owner: ["role"]
        admin: admin, AI false
        member: member, AI true
        guest: guest, AI false
        "#);
    }

    #[test]
    fn terms_make_sense_together() {
        let mut table = String::new();
        for preset in Preset::ALL {
            for project in [None, Some("PRJ")] {
                for can_start_ai_work in [false, true] {
                    let project = project.map(|key| key.parse().unwrap());
                    let terms = Terms { preset: *preset, project: project.clone(), can_start_ai_work };
                    let answer = match terms.checked() {
                        Ok(terms) => format!("{}", terms.role()),
                        Err(errors) => format!("{:?}", errors.0),
                    };
                    let project = project.map_or("–", |_| "PRJ");
                    table += &format!("{preset:11} {project:3} AI {can_start_ai_work:5} {answer}\n");
                }
            }
        }
        insta::assert_snapshot!(table);
    }
}

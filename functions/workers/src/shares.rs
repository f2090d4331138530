//! Shares of a worker: how much it does at once, and how much waits for that.
//!
//! A server outside takes as long as it likes to answer. What waits for one has a share that leaves room for everything
//! else, and each owner has a part of that share: a receiver that hangs delays messages of its own organization only.
//! Mail that people wait for has a share that nothing else takes from.

use svc_domain::ids::OrgId;
use svc_domain::notification::destination::Destination;
use svc_domain::notification::preferences::Place;

/// How much work may wait for a subject, and for an owner.
const WAITING_FOR_SUBJECT: usize = 32;
const WAITING_FOR_OWNER: usize = 128;

/// Webhook deliveries at once, in all and of one organization.
const WEBHOOKS: usize = 20;
const WEBHOOKS_OF_ORG: usize = 4;
/// Messages to chats at once, in all and of one organization or person.
const CHATS: usize = 12;
const CHATS_OF_OWNER: usize = 3;
/// Mails at once: of notifications, of invitations in all and of one organization, and to sign in.
const MAIL: usize = 12;
const INVITATIONS: usize = 4;
const INVITATIONS_OF_ORG: usize = 2;
const SIGN_IN: usize = 4;

/// A part of what a worker does at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    /// What has the same name counts together.
    pub(crate) name: String,
    /// How much is at work at once.
    pub(crate) at_once: usize,
    /// How much waits for it at most.
    pub(crate) waiting: usize,
}

impl Share {
    /// What has a subject is done one after the other.
    pub(crate) const fn subject(name: String) -> Self {
        Self { name, at_once: 1, waiting: WAITING_FOR_SUBJECT }
    }

    /// What an owner has of a kind.
    fn owner(kind: &str, owner: &impl ToString, at_once: usize) -> Self {
        Self { name: format!("{kind} of {}", owner.to_string()), at_once, waiting: WAITING_FOR_OWNER }
    }

    fn kind(kind: &str, at_once: usize) -> Self {
        Self { name: kind.to_owned(), at_once, waiting: usize::MAX }
    }

    /// Those of a webhook's delivery.
    pub(crate) fn webhooks(org: OrgId) -> Vec<Self> {
        vec![Self::owner("webhooks", &org, WEBHOOKS_OF_ORG), Self::kind("webhooks", WEBHOOKS)]
    }

    /// Those of a message to a destination.
    pub(crate) fn destination(destination: Destination) -> Vec<Self> {
        let owner = match destination {
            Destination::Person(_, Place::Mail) => return Self::mail(),
            Destination::Person(user, _) => Self::owner("chats", &user, CHATS_OF_OWNER),
            Destination::Channel(org, _) => Self::owner("chats", &org, CHATS_OF_OWNER),
        };
        vec![owner, Self::kind("chats", CHATS)]
    }

    /// That of a mail that tells of something.
    pub(crate) fn mail() -> Vec<Self> {
        vec![Self::kind("mail", MAIL)]
    }

    /// Those of an invitation's mail.
    pub(crate) fn invitations(org: OrgId) -> Vec<Self> {
        vec![Self::owner("invitations", &org, INVITATIONS_OF_ORG), Self::kind("invitations", INVITATIONS)]
    }

    /// That of a mail without which a person cannot sign in.
    pub(crate) fn sign_in() -> Vec<Self> {
        vec![Self::kind("sign-in", SIGN_IN)]
    }
}

/// What all that waits for others does at once.
pub(crate) const OUTSIDE: usize = WEBHOOKS + CHATS + MAIL + INVITATIONS + SIGN_IN;

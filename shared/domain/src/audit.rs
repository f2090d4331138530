//! The audit log of an organization as stored: compact lines that say who did what to what, and when.

mod action;

use std::fmt::Display;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{Actor, ActorId, ProjectKey, UserId};

pub use self::action::{AuditAction, AuditKind};

/// A line of the audit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// When.
    pub at: Timestamp,
    /// Who; `None` where nobody signed in did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Actor>,
    /// What did it where no person did, or by what a person did it, such as `rule Go`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// What was done.
    pub action: AuditAction,
    /// Id of what it was done to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Name of what it was done to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The project that it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectKey>,
    /// Value before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Value after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

impl AuditEntry {
    /// A line that names nothing but who did what when.
    pub const fn new(at: Timestamp, by: Option<Actor>, action: AuditAction) -> Self {
        Self { at, by, via: None, action, subject: None, name: None, project: None, from: None, to: None }
    }

    /// The same, about something with an id.
    #[must_use]
    pub fn about(self, subject: impl Display) -> Self {
        Self { subject: Some(subject.to_string()), ..self }
    }

    /// The same, about something with a name.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Self { name: Some(name.to_owned()), ..self }
    }

    /// The same, done by something that a person set off, or that went off by itself.
    #[must_use]
    pub fn via(self, by: Option<Actor>, what: &str) -> Self {
        Self { by, via: Some(what.to_owned()), ..self }
    }

    /// The same, in a project.
    #[must_use]
    pub fn within(self, project: &ProjectKey) -> Self {
        Self { project: Some(project.clone()), ..self }
    }

    /// The same, from one value to another.
    #[must_use]
    pub fn between(self, from: impl Display, to: impl Display) -> Self {
        Self { from: Some(from.to_string()), ..self.to(to) }
    }

    /// The same, with the value after it.
    #[must_use]
    pub fn to(self, to: impl Display) -> Self {
        Self { to: Some(to.to_string()), ..self }
    }

    /// The person who did it.
    pub fn actor(&self) -> Option<UserId> {
        match self.by.as_ref()?.id {
            ActorId::User(user) => Some(user),
            ActorId::Agent(_) => None,
        }
    }

    /// The person that it is about, whom it names by id.
    pub fn person(&self) -> Option<UserId> {
        let id = match self.action {
            AuditAction::MemberAdded
            | AuditAction::MemberChanged
            | AuditAction::MemberRenamed
            | AuditAction::MemberRemoved
            | AuditAction::ProjectMemberSet
            | AuditAction::ProjectMemberRemoved
            | AuditAction::AccountDisabled
            | AuditAction::AccountEnabled
            | AuditAction::AccountSignedOut
            | AuditAction::PasswordLinkMade => self.subject.as_ref(),
            AuditAction::InvitationAccepted => self.to.as_ref(),
            _ => None,
        };
        id?.parse().ok()
    }
}

//! Why the rules say no: one closed set, which the HTTP room turns into problem documents in one match.
//!
//! Names no status code and no HTTP word.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::ids::{ItemKey, RunId};

/// What is wrong with the fields of a request, keyed by their names on the wire.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldErrors(pub BTreeMap<String, Vec<String>>);

impl FieldErrors {
    /// One field with one error.
    pub fn one(field: &str, message: impl Into<String>) -> Self {
        let mut errors = Self::default();
        errors.add(field, message);
        errors
    }

    /// Notes an error of a field.
    pub fn add(&mut self, field: &str, message: impl Into<String>) {
        self.0.entry(field.to_owned()).or_default().push(message.into());
    }

    /// The value of a field that was checked, or `None` with its error noted.
    pub fn check<T>(&mut self, field: &str, checked: Result<T, impl std::fmt::Display>) -> Option<T> {
        checked.map_err(|error| self.add(field, error.to_string())).ok()
    }

    /// `Ok` when nothing was noted.
    ///
    /// # Errors
    /// What was noted.
    pub fn into_result(self) -> Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

/// A refusal of the rules. Each variant is one problem `type`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Fields are missing, malformed or contradictory.
    #[error("some fields are not acceptable")]
    Invalid(FieldErrors),
    /// Query parameters are missing or malformed.
    #[error("some query parameters are not acceptable")]
    InvalidQuery(FieldErrors),
    /// The resource does not exist, or must appear not to exist to this caller.
    #[error("not found")]
    NotFound,
    /// No valid credential was presented.
    #[error("not authenticated")]
    Unauthenticated,
    /// The e-mail address and password do not belong together.
    #[error("the address or the password is wrong")]
    WrongPassword,
    /// The identity provider does not answer, or its answer is not understood.
    #[error("the identity provider does not answer")]
    ProviderAway,
    /// The code host does not answer, or its answer is not understood.
    #[error("the code host does not answer")]
    CodeHostAway,
    /// The credential lacks a scope.
    #[error("the credential lacks the scope {0}")]
    MissingScope(&'static str),
    /// The caller's role does not permit it; carries the role that would.
    #[error("not permitted: {0}")]
    Forbidden(&'static str),
    /// The caller may not start, stop or look inside AI work (specification section 1.6).
    #[error("not a factory operator")]
    FactoryNotPermitted,
    /// A cookie request without the header that proves intent.
    #[error("the header X-Svc-Request is missing")]
    MissingRequestHeader,
    /// A change that a page made for one account, in the session of another.
    #[error("the session belongs to another account")]
    OtherAccount,
    /// The organization accepts no changes.
    #[error("the organization is read-only")]
    ReadOnlyOrganization,
    /// The project is archived and accepts no changes.
    #[error("the project is archived")]
    ArchivedProject,
    /// Somebody else saved first.
    #[error("the version is stale; it is {current} now")]
    StaleVersion {
        /// The version now.
        current: u64,
    },
    /// Something with this name exists already; carries what.
    #[error("{0} already exists")]
    AlreadyExists(&'static str),
    /// Something deleted cannot be restored, because something else has taken its name or path.
    #[error("{by} has taken its {what}: rename or delete that one, then restore this one")]
    TakenMeanwhile {
        /// What is there, such as "another agent".
        by: &'static str,
        /// What it has: a name or a path.
        what: &'static str,
    },
    /// Somebody else holds the item's claim.
    #[error("the item is claimed by {holder}")]
    ItemClaimed {
        /// Name of the holder.
        holder: String,
    },
    /// The item was deleted.
    #[error("the item was deleted")]
    ItemDeleted {
        /// Until when it can be restored; `None` if it is too late.
        until: Option<Timestamp>,
    },
    /// Something else than an item was deleted.
    #[error("the {what} was deleted")]
    Deleted {
        /// What.
        what: &'static str,
        /// Who can restore it.
        restorers: &'static str,
        /// Until when; `None` if it is too late.
        until: Option<Timestamp>,
    },
    /// The item has another key now: it was moved to another project, which the caller sees.
    #[error("the item is now {to}")]
    ItemTransferred {
        /// The key that was asked for.
        from: ItemKey,
        /// The key that it has.
        to: ItemKey,
    },
    /// The caller does not hold the item's claim.
    #[error("the caller does not hold the claim")]
    NotClaimHolder,
    /// The workflow does not permit the move.
    #[error("the workflow has no move from {from} to {to}")]
    MoveNotPermitted {
        /// State that the item is in.
        from: String,
        /// State asked for.
        to: String,
        /// States that it may go to.
        permitted: Vec<String>,
    },
    /// The item has a queued, assigned or running run.
    #[error("the item has a live run")]
    LiveRunExists {
        /// That run.
        run: RunId,
    },
    /// The run has ended.
    #[error("the run has ended")]
    RunEnded,
    /// The run's state does not permit it; carries why in a sentence.
    #[error("the run's state does not permit it: {0}")]
    RunState(&'static str),
    /// The assignment that the runner presents is over.
    #[error("the assignment has ended")]
    AssignmentEnded,
    /// A log batch does not follow the last one.
    #[error("the log continues at {next}")]
    LogGap {
        /// The `seq` expected next.
        next: u64,
    },
    /// The current state forbids it; carries the reason as a sentence for people.
    #[error("{0}")]
    Conflict(&'static str),
    /// A channel cannot be connected so.
    #[error("the channel cannot be connected")]
    ChannelRefused(FieldErrors),
    /// A test message did not arrive; carries what the platform said.
    #[error("the test message did not arrive: {0}")]
    ChannelTestFailed(String),
    /// The request budget is exhausted.
    #[error("the request budget is exhausted")]
    RateLimited {
        /// Seconds until the next window.
        retry_after: u32,
    },
    /// The request is larger than accepted.
    #[error("the request is too large")]
    TooLarge,
}

impl From<FieldErrors> for Refusal {
    fn from(errors: FieldErrors) -> Self {
        Self::Invalid(errors)
    }
}

impl Refusal {
    /// It as a sentence for people, with what is wrong with fields.
    pub fn sentence(&self) -> String {
        let text = match self {
            Self::Invalid(errors) => errors.0.values().flatten().cloned().collect::<Vec<_>>().join(" "),
            refusal => refusal.to_string(),
        };
        let mut chars = text.chars();
        let first = chars.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
        let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
        format!("{first}{}{end}", chars.as_str())
    }

    /// Why no run starts, in a sentence; `did` is what the person did with whose rights it would.
    pub fn why_no_run(&self, did: &str) -> String {
        match self {
            Self::FactoryNotPermitted => format!("The person who {did} may no longer start AI work."),
            Self::NotFound => format!("The person who {did} can no longer see the project."),
            refusal => refusal.sentence(),
        }
    }

    /// One field that is not acceptable.
    pub fn invalid(field: &str, message: impl Into<String>) -> Self {
        Self::Invalid(FieldErrors::one(field, message))
    }
}

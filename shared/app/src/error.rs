//! The error of a use case: a refusal of the rules, or a failure of storage.

use svc_domain::refusal::{FieldErrors, Refusal};
use svc_storage::StorageError;

/// A use case did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The rules say no; the caller is told why.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Storage failed; the caller is told nothing but the trace id.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The mail server does not take mail at the moment; the caller may try again.
    #[error("a mail was not sent")]
    MailAway(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Others keep the service busy with long texts or pictures; the caller may try again in a second.
    #[error("too much of this work is asked for at once")]
    Busy,
    /// The work of this idempotency key has been done by another request meanwhile; nothing was written.
    #[error("a request with this idempotency key was carried out meanwhile")]
    Repeated,
}

impl From<FieldErrors> for Error {
    fn from(errors: FieldErrors) -> Self {
        Self::Refused(Refusal::Invalid(errors))
    }
}

/// Result of a use case.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Whether a commit was refused because a row was not as it was read: worth loading and deciding again.
pub const fn is_conflict(error: &Error) -> bool {
    matches!(error, Error::Storage(StorageError::Conflict { .. }))
}

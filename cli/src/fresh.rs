//! The program's only source of randomness and of the time.

use jiff::Timestamp;
use uuid::Uuid;

/// A fresh `Idempotency-Key`.
#[expect(
    clippy::disallowed_methods,
    reason = "the command line is a program of its own: this is its randomness"
)]
pub(crate) fn idempotency_key() -> String {
    Uuid::new_v4().to_string()
}

/// An unpredictable word.
pub(crate) fn word() -> String {
    idempotency_key().chars().take(8).collect()
}

/// The time now.
#[expect(clippy::disallowed_methods, reason = "the command line is a program of its own: this is its clock")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

//! The runner's wall clock and source of fresh ids.
//!
//! The only file of the crate that reads either. Decisions (`supervisor`, `redact`, retention) take time and
//! ids as arguments.

use jiff::Timestamp;
use uuid::Uuid;

/// The time now.
#[expect(clippy::disallowed_methods, reason = "the runner is a program of its own: this is its clock")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

/// A fresh random id.
#[expect(clippy::disallowed_methods, reason = "the runner is a program of its own: this is its randomness")]
pub(crate) fn fresh_id() -> Uuid {
    Uuid::new_v4()
}

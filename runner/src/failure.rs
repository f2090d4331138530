//! A failed run's reason and its sentence for people.

pub use svc_domain::failure::FailureReason;

/// A failure: its reason (specification section 7) and a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The reason.
    pub reason: FailureReason,
    /// What was wrong, and what to do.
    pub detail: String,
}

impl Failure {
    /// A failure for this reason.
    pub fn new(reason: FailureReason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }
}

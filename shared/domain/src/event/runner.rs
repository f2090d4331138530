//! Events of runners.

use crate::ids::RunnerId;

/// What happens to a runner.
#[derive(Clone, Debug, PartialEq)]
pub enum RunnerEvent {
    /// A runner was registered.
    Registered(RunnerId, String),
    /// A runner was renamed, disabled or enabled.
    Changed {
        /// The runner.
        runner: RunnerId,
        /// Its name.
        name: String,
        /// Whether it is disabled.
        disabled: bool,
    },
    /// A runner got a new secret.
    SecretRotated(RunnerId, String),
    /// A runner was deleted.
    Removed(RunnerId, String),
}

//! When a failed attempt is worth another, and how long to wait before it.
//!
//! | Failure                            | may have been processed | tried again              |
//! |------------------------------------|-------------------------|--------------------------|
//! | no connection                      | no                      | always                   |
//! | 429                                | no                      | always, after Retry-After |
//! | connection broke, time-out         | yes                     | if repeating is harmless |
//! | 502, 503, 504                      | yes                     | if repeating is harmless |
//! | `request-in-progress`              | yes                     | if repeating is harmless |
//! | anything else                      | –                       | never                    |
//!
//! Repeating is harmless for GET, for a request that carries an `Idempotency-Key`, and for the calls of a
//! runner, which are idempotent by their fence, sequence number or request id.

use std::time::Duration;

use backon::ExponentialBuilder;

use crate::error::Error;

/// How often, and for how long, a call is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// Further attempts after the first.
    pub attempts: usize,
    /// Pause before the second attempt; doubles with each further one, with jitter.
    pub first_pause: Duration,
    /// The longest pause. A `Retry-After` beyond it is not waited for.
    pub longest_pause: Duration,
}

impl Default for Retry {
    /// Three further attempts within about two seconds; a rate limit is waited for up to its window of a minute.
    fn default() -> Self {
        Self { attempts: 3, first_pause: Duration::from_millis(200), longest_pause: Duration::from_secs(60) }
    }
}

impl Retry {
    /// No second attempt.
    pub const NEVER: Self = Self { attempts: 0, first_pause: Duration::ZERO, longest_pause: Duration::ZERO };

    pub(crate) fn backoff(self) -> ExponentialBuilder {
        ExponentialBuilder::default()
            .with_min_delay(self.first_pause)
            .with_max_delay(self.longest_pause)
            .with_factor(2.0)
            .with_max_times(self.attempts)
            .with_jitter()
    }

    /// The pause before the next attempt; `None` gives up.
    pub(crate) fn pause(self, failure: &Failure, backoff: Option<Duration>) -> Option<Duration> {
        let pause = backoff?;
        match failure.retry_after {
            Some(asked) if asked > self.longest_pause => None,
            Some(asked) => Some(pause.max(asked)),
            None => Some(pause),
        }
    }
}

/// One attempt that brought no value.
pub(crate) struct Failure {
    pub(crate) error: Error,
    pub(crate) retry_after: Option<Duration>,
}

impl Failure {
    /// Whether another attempt could succeed and does no harm.
    pub(crate) fn is_worth_another(&self, repeatable: bool) -> bool {
        match &self.error {
            Error::Network(network) => repeatable || network.never_sent,
            // An earlier attempt, whose answer was lost, is still at work under the same key.
            error if error.is_problem("request-in-progress") => repeatable,
            Error::Problem(_) | Error::Missing(_) | Error::Unexpected { .. } => match self.error.status() {
                Some(429) => true,
                Some(502..=504) => repeatable,
                _ => false,
            },
            Error::Unsendable(_) => false,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error, retry_after: None }
    }
}

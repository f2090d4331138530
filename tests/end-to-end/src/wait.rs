//! Waiting for a condition, with a bound.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

/// How often a condition is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Looks until there is something, for so long at most.
///
/// # Panics
/// When the time is over; says what did not happen.
pub async fn eventually<T>(what: &str, bound: Duration, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + bound;
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(Instant::now() < deadline, "{what}: not within {bound:?}");
        sleep(LOOK_EVERY).await;
    }
}

/// Lets something take so long at most.
///
/// # Panics
/// When the time is over.
pub async fn within<T>(what: &str, bound: Duration, work: impl Future<Output = T>) -> T {
    match timeout(bound, work).await {
        Ok(value) => value,
        Err(_) => panic!("{what}: not within {bound:?}"),
    }
}

//! The wall clock: the only time that this program and the processes it starts have in common.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Time since the Unix epoch.
#[expect(clippy::disallowed_methods, reason = "a measurement across processes has no other clock")]
pub(crate) fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Reads what `date +%s%N` printed.
pub(crate) fn parse(text: &str) -> Option<Duration> {
    text.trim().parse().ok().map(Duration::from_nanos)
}

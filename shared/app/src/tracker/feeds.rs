//! Warm project feeds of this process.

/// Warm project feeds.
#[derive(Default)]
pub struct Feeds {}

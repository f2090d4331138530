//! What use cases promise that no handler shows.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod feeds;
mod snapshots;

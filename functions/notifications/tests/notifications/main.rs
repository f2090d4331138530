//! What people are told, as they read it in their inboxes.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod access;
mod costs;
mod inbox;
mod kinds;
mod watching;
mod world;

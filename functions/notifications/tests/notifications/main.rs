//! What people are told, as they read it in their inboxes.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod access;
mod channels;
mod costs;
mod delivery;
mod inbox;
mod kinds;
mod platform;
mod preferences;
mod watching;
mod world;

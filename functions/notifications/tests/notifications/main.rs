//! What people are told, as they read it in their inboxes, and what webhooks send.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod access;
mod answers;
mod audited;
mod broken;
mod channels;
mod costs;
mod delivery;
mod disabled;
mod held;
mod inbox;
mod kinds;
mod named;
mod platform;
mod preferences;
mod push;
mod push_service;
mod reach;
mod receiver;
mod silent;
mod skipped;
mod stopping;
mod storm;
mod watching;
mod webhooks;
mod world;

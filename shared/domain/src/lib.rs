//! The pure rules of the service: no async, no I/O, no clock, no randomness.
//!
//! Records as they are stored, and the functions that decide what happens to them. Everything that a rule
//! needs (time, ids, the caller) is an argument, so every rule is tested as a table.

pub mod access;
pub mod claim;
pub mod feed;
pub mod filter;
pub mod identity;
pub mod ids;
pub mod item;
pub mod project;
pub mod refusal;
pub mod workflow;

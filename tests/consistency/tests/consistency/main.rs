//! After anything that callers do, nothing contradicts anything.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod broken;
mod deliveries;
mod simulation;
mod workload;

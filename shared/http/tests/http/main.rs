//! What every area's routes have from the kit, on routes that exist only here.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod bodies;
mod deprecation;
mod errors;
mod headers;
mod queries;

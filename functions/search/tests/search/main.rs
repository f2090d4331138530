//! Search as its callers see it.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod asking;
mod autocomplete;
mod index;
mod secrecy;
mod world;

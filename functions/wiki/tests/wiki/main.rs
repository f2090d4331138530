//! The wiki's API as its callers see it.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod access;
mod deleted;
mod factory_section;
mod moves;
mod pages;
mod versions;
mod world;

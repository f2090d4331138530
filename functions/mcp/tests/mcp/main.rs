//! The MCP server as its clients see it.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod entrance;
mod fences;
mod injection;
mod protocol;
mod refining;
mod repeating;
mod runs;
mod sizes;
mod tools;
mod world;

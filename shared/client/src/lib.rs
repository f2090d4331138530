//! Typed HTTP client of the API: retry, problem parsing, deprecation notices.
//!
//! Owns how a request reaches an instance and what its answer means; used by the command line and the
//! runner. It holds no rule of the service: it sends what it is given and reports what it is told. It never
//! prints, never logs a token, follows a redirect only to an item's new address at the same instance, and never sends a token in the clear over a network.
//!
//! ```text
//! let client = Client::new("https://tracker.example", Some(token), "svc/1.0")?;
//! let item = client.org("demo").item("PRJ-12").await?;
//! let moved = client.org("demo").transition("PRJ-12", &Transition { version: item.version, state }).await?;
//! ```

mod attachments;
mod client;
mod deletion;
mod error;
mod factory;
mod identity;
mod intakes;
mod labels;
mod mcp;
mod notice;
mod notifications;
mod raw;
mod retry;
mod route;
mod runner;
mod search;
mod send;
mod sessions;
mod sprints;
mod tracker;
mod webhooks;
mod wiki;

pub use attachments::Download;
pub use client::{Client, ClientBuilder, Org, address};
pub use error::{Error, Missing, NetworkError};
pub use mcp::McpAnswer;
pub use notice::{Deprecation, Notice};
pub use raw::RawAnswer;
pub use retry::Retry;
pub use runner::RunnerApi;
pub use secrecy::SecretString;

//! Wire types of the HTTP API and the problem document, used by server, client and runner alike.
//!
//! Owns the JSON shapes under `/api/v1` and nothing else: no rule of the service, no storage, no HTTP
//! library. Within v1 a field is never renamed, removed or given another meaning (specification section
//! 9). Everything that a server sends tolerates growth: unknown fields are ignored by readers and unknown
//! enum values read as `Unknown`. Everything that a server receives is strict: unknown fields are refused.

pub mod administration;
pub mod day;
pub mod deletion;
pub mod factory;
pub mod identity;
pub mod notifications;
pub mod page;
pub mod patch;
pub mod problem;
pub mod records;
pub mod rendered;
pub mod runner;
pub mod search;
pub mod tracker;
pub mod webhooks;
pub mod wiki;

pub use page::Page;
pub use patch::Patch;
pub use problem::Problem;

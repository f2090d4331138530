//! Use cases: load → decide → commit, once. The only room that writes to storage.
//!
//! A use case takes the [`App`] and the caller's [`BearerCredential`] credential, loads rows, asks a pure function
//! of `svc-domain` what happens, and commits everything in one atomic conditional write. It names no status
//! code, no SQL and no vendor.

mod active_agents;
pub mod administration;
mod app;
mod asker;
pub mod budget;
mod caller;
pub mod check;
mod commit;
pub mod dead_letters;
mod derive;
pub mod entry;
mod error;
pub mod factory;
pub mod feed_clock;
pub mod following;
pub mod health;
pub mod hearing;
pub mod heavy;
mod id_cache;
pub mod idempotency;
pub mod identity;
pub mod journal;
mod last_use;
pub mod mailing;
pub mod mcp;
pub mod messages;
pub mod metrics;
pub mod notifications;
mod notifier;
pub mod outbox;
mod parse_cache;
pub mod ports;
mod project_keys;
mod queue_views;
mod row_locks;
pub mod sealing;
pub mod search;
pub mod secrets;
pub mod settings;
pub mod silent;
pub mod tracker;
mod transaction;
mod visible_projects;
mod wanted;
pub mod watched;
mod weak_map;
pub mod webhooks;
pub mod wiki;

pub use app::{App, SignIn};
pub use derive::{Made, What};
pub use entry::{BearerCredential, Caller, Entry};
pub use error::{Error, Result, is_conflict};
pub use id_cache::IdCache;
pub use last_use::LastUses;
pub use notifier::Notifier;
pub use parse_cache::ParseCache;
pub use queue_views::QueueViews;
pub use row_locks::RowLocks;
pub use settings::Settings;
pub use svc_storage::{ByteStream, PresignedPut, StorageError};
pub use transaction::Transaction;

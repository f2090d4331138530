//! Use cases: load → decide → commit, once. The only room that writes to storage.
//!
//! A use case takes the [`App`] and the caller's [`Presented`] credential, loads rows, asks a pure function
//! of `svc-domain` what happens, and commits everything in one atomic conditional write. It names no status
//! code, no SQL and no vendor.

mod app;
pub mod budget;
pub mod check;
pub mod entry;
mod error;
pub mod factory;
mod hints;
pub mod idempotency;
pub mod identity;
mod last_use;
mod memo;
pub mod outbox;
pub mod ports;
pub mod search;
pub mod secrets;
pub mod settings;
pub mod tracker;
mod wakeups;
pub mod wiki;

pub use app::{App, SignIn};
pub use entry::{Entry, Presented};
pub use error::{Error, Result, is_conflict};
pub use hints::Hints;
pub use last_use::LastUses;
pub use memo::Memos;
pub use settings::Settings;
pub use svc_storage::{ByteStream, PresignedPut, StorageError};
pub use wakeups::Wakeups;

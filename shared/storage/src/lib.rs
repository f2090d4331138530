//! The three storage ports: [`Table`], [`Blobs`] and [`Queue`], what can go wrong with them, their limits,
//! and the whole key design ([`keys`]).
//!
//! Owns no engine: adapters live in `storage-sqlite` and `storage-aws`, and one conformance suite runs on
//! every one of them.

mod blobs;
mod error;
pub mod keys;
mod limits;
mod queue;
mod table;
mod typed;

pub use blobs::{BlobInfo, BlobKey, BlobRead, Blobs, ByteStream, PresignedPut, Retention, ServedAs};
pub use error::StorageError;
pub use limits::Limits;
pub use queue::{MAX_MESSAGE_BYTES, Message, Queue};
pub use table::{Commit, Condition, Cursor, Key, Op, OpKind, Order, Query, Range, Row, RowPage, Table};
pub use typed::{KeyOf, RowOf};

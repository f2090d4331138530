//! Embedded adapters of the storage ports: [`SqliteTable`] and [`SqliteQueue`] on one SQLite file, and
//! [`DirBlobs`] on a directory. [`SqliteStore`] opens all three on one data directory, which several
//! processes may share.

mod apply;
mod backup;
mod blob_stream;
mod blobs;
mod checkpoint;
mod complaints;
mod engine;
mod error;
mod in_place;
mod presence;
mod queue;
mod reader;
mod readers;
mod room;
mod schema;
mod store;
mod table;
mod writer;

pub use backup::{Copied, back_up};
pub use blobs::DirBlobs;
pub use engine::{Clock, SqliteOptions};
pub use queue::SqliteQueue;
pub use room::Room;
pub use store::SqliteStore;
pub use table::SqliteTable;

//! What the table and the queue of an open data directory share: the writer, the readers, the clock and the options.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use jiff::Timestamp;
use parking_lot::Mutex;
use svc_storage::StorageError;
use tokio::sync::Notify;

use crate::complaints::Complaints;
use crate::in_place::InPlace;
use crate::presence::Presence;
use crate::readers::Readers;
use crate::schema::Access;
use crate::writer::Writer;
use crate::{checkpoint, error, schema};

/// Tells the time. Tokens, due messages and expired rows are judged by it.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// What can be set of a store.
#[derive(Clone, Debug)]
pub struct SqliteOptions {
    /// How long a received message stays hidden unless acknowledged.
    pub visibility: Duration,
    /// How often a waiting receiver looks for what another process sent. What this process sends wakes it at
    /// once.
    pub poll: Duration,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { visibility: Duration::from_secs(30), poll: Duration::from_millis(250) }
    }
}

/// What table and queue share.
pub(crate) struct Engine {
    pub(crate) options: SqliteOptions,
    pub(crate) readers: Arc<Readers>,
    pub(crate) writer: Writer,
    /// Told of every message sent by this process.
    pub(crate) sent: Notify,
    clock: Clock,
    in_place: Arc<InPlace>,
    checkpoints: Mutex<Option<JoinHandle<()>>>,
    /// None of an engine that only reads.
    presence: Option<Presence>,
}

impl Engine {
    /// An engine that writes.
    pub(crate) fn start(
        path: PathBuf,
        presence: Presence,
        options: SqliteOptions,
        clock: Clock,
    ) -> Result<Self, StorageError> {
        let complaints = Complaints::about(&path);
        let (load, watch) = checkpoint::load(&complaints);
        let conn = schema::writer(&path).map_err(error::database)?;
        let in_place = Arc::new(InPlace::of(&path));
        let writer = Writer::start(conn, Arc::clone(&in_place), load, complaints)?;
        let conn = schema::writer(&path).map_err(error::database)?;
        let checkpoints = checkpoint::start(conn, watch)?;
        Ok(Self {
            options,
            readers: Arc::new(Readers::new(path, Access::Shared)),
            in_place,
            writer,
            sent: Notify::new(),
            clock,
            checkpoints: Mutex::new(Some(checkpoints)),
            presence: Some(presence),
        })
    }

    /// An engine that writes nothing.
    pub(crate) fn reading(path: PathBuf, access: Access, options: SqliteOptions, clock: Clock) -> Self {
        Self {
            options,
            in_place: Arc::new(InPlace::of(&path)),
            readers: Arc::new(Readers::new(path, access)),
            writer: Writer::closed(),
            sent: Notify::new(),
            clock,
            checkpoints: Mutex::new(None),
            presence: None,
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// As [`Table::alone`](svc_storage::Table::alone).
    pub(crate) fn alone(&self) -> Option<u64> {
        self.presence.as_ref()?.alone(self.now().as_second())
    }

    /// Whether what was opened still has its name.
    pub(crate) fn still_there(&self) -> Result<(), StorageError> {
        self.in_place.check()
    }

    pub(crate) fn close(&self) {
        self.readers.close();
        // The checkpoint thread ends with the writer.
        self.writer.close();
        if let Some(thread) = self.checkpoints.lock().take()
            && thread.join().is_err()
        {
            tracing::error!("the checkpoint thread panicked");
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.close();
    }
}

//! Opens and closes the three adapters on one data directory:
//!
//! ```text
//! <dir>/store.db (-wal, -shm)   table and queue
//! <dir>/store.lock              held while a process opens the database
//! <dir>/blobs/                  blobs, a file each
//! ```
//!
//! Directories are 0700 and files 0600. Several processes may have a directory open at once.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use jiff::Timestamp;
use parking_lot::Mutex;
use svc_storage::{Blobs, Queue, StorageError, Table};
use tokio::sync::Notify;

use crate::complaints::Complaints;
use crate::readers::Readers;
use crate::schema::Access;
use crate::writer::Writer;
use crate::{DirBlobs, SqliteQueue, SqliteTable, apply, checkpoint, error, schema};

/// Tells the time. Tokens, due messages and expired rows are judged by it.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Name of the database in a data directory.
pub(crate) const FILE: &str = "store.db";

/// Name of the directory of blobs in a data directory.
pub(crate) const BLOBS: &str = "blobs";

/// Rows that one transaction of a sweep removes, so that commits are not kept waiting.
const SWEEP: u32 = 500;

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
        Self { visibility: Duration::from_secs(60), poll: Duration::from_millis(250) }
    }
}

/// An open data directory. Clones share it; it closes when [`SqliteStore::close`] is called or the last clone
/// and adapter is dropped.
#[derive(Clone)]
pub struct SqliteStore {
    engine: Arc<Engine>,
    blobs: Arc<DirBlobs>,
    last_written: Option<Timestamp>,
    is_new: bool,
}

/// What table and queue share.
pub(crate) struct Engine {
    pub(crate) options: SqliteOptions,
    pub(crate) readers: Arc<Readers>,
    pub(crate) writer: Writer,
    /// Told of every message sent by this process.
    pub(crate) sent: Notify,
    clock: Clock,
    path: PathBuf,
    /// Device and number of the file that was opened.
    file: Option<(u64, u64)>,
    checkpoints: Mutex<Option<JoinHandle<()>>>,
}

impl SqliteStore {
    /// Opens a data directory, making it where it is not.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] when it cannot be written; [`StorageError::Corrupt`] when it is not ours;
    /// [`StorageError::Unusable`] when it was written by a later program, or is missing beside what belongs to it.
    pub fn open(dir: &Path, options: SqliteOptions, clock: Clock) -> Result<Self, StorageError> {
        DirBuilder::new().recursive(true).mode(0o700).create(dir).map_err(error::file)?;
        let path = dir.join(FILE);
        let last_written = last_written(&path);
        let (engine, is_new) = {
            // Two processes must not both make the tables, nor one switch to WAL while another looks.
            let lock = OpenOptions::new()
                .create(true)
                .append(true)
                .mode(0o600)
                .open(dir.join("store.lock"))
                .map_err(error::file)?;
            lock.lock().map_err(error::file)?;
            let is_new = !path.exists();
            if is_new {
                nothing_lost(&path)?;
            }
            schema::prepare(&path)?;
            (Engine::start(path, options, clock)?, is_new)
        };
        let blobs = Arc::new(DirBlobs::open(&dir.join(BLOBS))?);
        Ok(Self { engine: Arc::new(engine), blobs, last_written, is_new })
    }

    /// Opens a data directory to read it, and writes nothing where nothing can be written: neither row, message
    /// nor blob. Others may be at work on it.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] when it cannot be read; [`StorageError::Corrupt`] when it is not ours or was cut
    /// off; [`StorageError::Unusable`] when it was written by a later program.
    pub fn open_to_read(dir: &Path, options: SqliteOptions, clock: Clock) -> Result<Self, StorageError> {
        let path = dir.join(FILE);
        let access = schema::readable(&path)?;
        let engine = Engine {
            options,
            file: identity(&path),
            readers: Arc::new(Readers::new(path.clone(), access)),
            path,
            writer: Writer::closed(),
            sent: Notify::new(),
            clock,
            checkpoints: Mutex::new(None),
        };
        let blobs = Arc::new(DirBlobs::to_read(&dir.join(BLOBS)));
        Ok(Self { engine: Arc::new(engine), blobs, last_written: None, is_new: false })
    }

    /// When the store was last written, before it was opened; by the clock of then, which may have been set back.
    pub const fn last_written(&self) -> Option<Timestamp> {
        self.last_written
    }

    /// Whether opening made the store.
    pub const fn is_new(&self) -> bool {
        self.is_new
    }

    /// Whether there is a store in a directory.
    ///
    /// # Errors
    /// What keeps it from being read.
    pub fn is_in(dir: &Path) -> io::Result<bool> {
        match File::open(dir.join(FILE)) {
            Ok(file) => Ok(file.metadata()?.is_file()),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// The table.
    pub fn table(&self) -> Arc<dyn Table> {
        Arc::new(SqliteTable::new(self.engine.clone()))
    }

    /// The queue.
    pub fn queue(&self) -> Arc<dyn Queue> {
        Arc::new(SqliteQueue::new(self.engine.clone()))
    }

    /// The blobs.
    pub fn blobs(&self) -> Arc<dyn Blobs> {
        self.blobs.clone()
    }

    /// Removes rows whose `ttl` is over and tokens that need not be remembered, and returns how many rows it
    /// removed. To be called about once a minute by one process or several.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`], [`StorageError::Contention`].
    pub async fn sweep(&self) -> Result<u64, StorageError> {
        let now = self.engine.now().as_second();
        let mut total = 0;
        loop {
            let removed = self.engine.writer.write(move |conn| apply::sweep(conn, now, SWEEP)).await?;
            total += removed;
            if removed < u64::from(SWEEP) {
                return Ok(total);
            }
        }
    }

    /// Finishes what was begun, writes everything into the database file, and closes it. Whoever still holds
    /// an adapter finds it unavailable.
    pub async fn close(&self) {
        let engine = self.engine.clone();
        // Joins threads, which wait for the disk.
        if tokio::task::spawn_blocking(move || engine.close()).await.is_err() {
            tracing::error!("closing the store panicked");
        }
    }
}

/// Refuses to make a store where one was: what belongs to it is still there.
fn nothing_lost(path: &Path) -> Result<(), StorageError> {
    for left in [BLOBS, "store.db-wal"] {
        let left = path.with_file_name(left);
        if left.exists() {
            return Err(StorageError::Unusable(format!(
                "{} is missing, though {} is there: put it back or restore the directory from a backup; to begin \
                 anew, move the whole directory away",
                path.display(),
                left.display()
            )));
        }
    }
    Ok(())
}

/// Device and number of a file.
fn identity(path: &Path) -> Option<(u64, u64)> {
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

/// When a database or its log was last written.
fn last_written(path: &Path) -> Option<Timestamp> {
    let log = path.with_extension("db-wal");
    let written =
        [path, log.as_path()].map(|file| std::fs::metadata(file).and_then(|file| file.modified()).ok());
    written.into_iter().flatten().filter_map(|time| Timestamp::try_from(time).ok()).max()
}

impl Engine {
    fn start(path: PathBuf, options: SqliteOptions, clock: Clock) -> Result<Self, StorageError> {
        let complaints = Complaints::about(&path);
        let (load, watch) = checkpoint::load(&complaints);
        let conn = schema::writer(&path).map_err(error::database)?;
        let writer = Writer::start(conn, load, complaints)?;
        let conn = schema::writer(&path).map_err(error::database)?;
        let checkpoints = checkpoint::start(conn, watch)?;
        Ok(Self {
            options,
            file: identity(&path),
            readers: Arc::new(Readers::new(path.clone(), Access::Shared)),
            path,
            writer,
            sent: Notify::new(),
            clock,
            checkpoints: Mutex::new(Some(checkpoints)),
        })
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// Whether the file that was opened is still the one of its name: what is written into another is lost.
    pub(crate) fn still_there(&self) -> Result<(), StorageError> {
        let now = identity(&self.path);
        if now == self.file {
            return Ok(());
        }
        let what = if now.is_none() { "is gone" } else { "was replaced" };
        Err(StorageError::Unusable(format!(
            "{} {what} while it was open: what is written now is lost. Stop the service and restore the file",
            self.path.display()
        )))
    }

    fn close(&self) {
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

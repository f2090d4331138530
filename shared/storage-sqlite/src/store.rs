//! Opens and closes the three adapters on one data directory:
//!
//! ```text
//! <dir>/store.db (-wal, -shm)   table and queue
//! <dir>/store.lock              held while a process opens the database
//! <dir>/store.users             locked by the processes that have it open to write
//! <dir>/blobs/                  blobs, a file each
//! ```
//!
//! Directories are 0700 and files 0600. Several processes may have a directory open at once.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use svc_storage::{Blobs, Queue, StorageError, Table};

use crate::engine::{Clock, Engine, SqliteOptions};
use crate::presence::Presence;
use crate::{DirBlobs, SqliteQueue, SqliteTable, apply, error, schema};

/// Name of the database in a data directory.
pub(crate) const FILE: &str = "store.db";

/// Name of the directory of blobs in a data directory.
pub(crate) const BLOBS: &str = "blobs";

/// Rows that one transaction of a sweep removes, so that commits are not kept waiting.
const SWEEP: u32 = 500;

/// An open data directory. Clones share it; it closes when [`SqliteStore::close`] is called or the last clone
/// and adapter is dropped.
#[derive(Clone)]
pub struct SqliteStore {
    engine: Arc<Engine>,
    blobs: Arc<DirBlobs>,
    last_written: Option<Timestamp>,
    is_new: bool,
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
            // The same open file, and so the same lock.
            let presence =
                lock.try_clone().and_then(|lock| Presence::enter(dir, lock)).map_err(error::file)?;
            let engine = Engine::start(path, presence, options, clock)?;
            // The clone stays open, so that closing this one would not free it.
            lock.unlock().map_err(error::file)?;
            (engine, is_new)
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
        let engine = Engine::reading(path, access, options, clock);
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

/// When a database or its log was last written.
fn last_written(path: &Path) -> Option<Timestamp> {
    let log = path.with_extension("db-wal");
    let written =
        [path, log.as_path()].map(|file| std::fs::metadata(file).and_then(|file| file.modified()).ok());
    written.into_iter().flatten().filter_map(|time| Timestamp::try_from(time).ok()).max()
}

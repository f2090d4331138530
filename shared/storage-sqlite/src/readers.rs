//! The pool of reading connections. Each keeps its prepared statements and the rows that it read last ([`Reader`]).
//!
//! Reads run on the caller's thread. A point read from mapped memory takes a few microseconds, less than a switch to
//! another thread would cost (`spawn_blocking` alone takes longer); a full page of a query takes about a millisecond.
//! Reads of many rows, up to 16 MB, run [apart](Readers::apart), so that they do not block other requests. Readers
//! never wait for the writer: in WAL mode each sees the last commit before its read began, and a commit replies only
//! after it became visible, so that reads are strongly consistent, across processes too.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;

use parking_lot::Mutex;
use rusqlite::Connection;
use svc_storage::{Key, Query, Row, RowPage, StorageError};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::reader::Reader;
use crate::schema::Access;
use crate::{error, schema};

/// Connections kept for later; more are opened when more threads read at once, and closed after.
const IDLE: usize = 16;

pub(crate) struct Readers {
    path: PathBuf,
    access: Access,
    /// The last one returned is the first lent again: its pages are the warmest. `None` when closed.
    idle: Mutex<Option<Vec<Reader>>>,
    /// How many more reads may begin apart: as many run as there are processors, so that few hold what they read.
    apart: Semaphore,
}

impl Readers {
    pub(crate) fn new(path: PathBuf, access: Access) -> Self {
        let processors = available_parallelism().map_or(2, usize::from).max(2);
        Self { path, access, idle: Mutex::new(Some(Vec::new())), apart: Semaphore::new(processors) }
    }

    /// Reads. Each statement is a read of its own moment; [`Readers::snapshot`] reads several at one.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        self.lend(|reader| read(reader.connection()))
    }

    /// Reads at one moment, and spares each statement taking its own lock.
    pub(crate) fn snapshot<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        self.lend(|reader| reader.snapshot(|reader| read(reader.connection())))
    }

    /// Rows as they are at one moment, in the order of their keys.
    pub(crate) fn rows(&self, keys: &[Key]) -> Result<Vec<Option<Row>>, StorageError> {
        self.lend(|reader| reader.rows(keys))
    }

    /// The page of a query as it is at one moment; `read` reads it from the file.
    pub(crate) fn page(
        &self,
        query: &Query,
        read: impl FnOnce(&Connection) -> Result<RowPage, StorageError>,
    ) -> Result<RowPage, StorageError> {
        self.lend(|reader| reader.page(query, read))
    }

    fn lend<T>(&self, read: impl FnOnce(&mut Reader) -> Result<T, StorageError>) -> Result<T, StorageError> {
        let lent = self.idle.lock().as_mut().ok_or_else(error::closed)?.pop();
        let mut reader = match lent {
            Some(reader) => reader,
            None => Reader::new(schema::reader(&self.path, self.access).map_err(|error| self.why(error))?),
        };
        // A connection whose read failed is not lent again.
        let found = read(&mut reader)?;
        if let Some(idle) = self.idle.lock().as_mut()
            && idle.len() < IDLE
        {
            idle.push(reader);
        }
        Ok(found)
    }

    /// Reads at one moment, away from the threads that answer requests.
    pub(crate) async fn apart<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&Connection) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, StorageError> {
        // Kept until the caller goes on with what was read.
        let _turn = self.apart.acquire().await.expect("nobody closes the semaphore");
        let readers = Arc::clone(self);
        let read = spawn_blocking(move || readers.snapshot(read));
        read.await.map_err(|error| StorageError::Unavailable(Box::new(error)))?
    }

    /// Why there is no further connection: the file may have been moved away.
    fn why(&self, error: rusqlite::Error) -> StorageError {
        if self.path.exists() {
            return error::database(error);
        }
        StorageError::Unusable(format!(
            "{} is gone. Stop the service and restore the file",
            self.path.display()
        ))
    }

    /// Closes what is idle; what is lent closes when it comes back.
    pub(crate) fn close(&self) {
        drop(self.idle.lock().take());
    }
}

//! Copies the write-ahead log back into the database file, beside the commits rather than inside them. Never
//! changes a row.
//!
//! The protocol:
//!
//! 1. The writer counts its tasks in [`Load`] and wakes the thread on the first.
//! 2. The thread checks every [`TICK`]: after many writes, or when there were none since the last check, it copies
//!    with a `PASSIVE` checkpoint, which waits for nobody and makes nobody wait.
//! 3. The log restarts only if all of it was copied while nobody writes. A load that never pauses never allows this;
//!    so once the log is longer than [`LONG`], the thread asks for help, and the writer copies the small rest itself
//!    between two groups.
//! 4. When the writer ends, the thread does too; closing the last connection copies what is left.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;
use svc_storage::StorageError;

use crate::complaints::Complaints;
use crate::error;

/// Time between two looks at the load.
const TICK: Duration = Duration::from_millis(200);

/// Tasks after which copying does not wait for a pause. One writes about ten pages, each anew: with ten times as many
/// tasks, 1.4 MB of rows made a log of 38 MB.
const MUCH: usize = 100;

/// Pages of the log after which the writer helps: 8 MB.
const LONG: i64 = 2_048;

/// The writer's side.
pub(crate) struct Load {
    shared: Arc<Shared>,
    wake: SyncSender<()>,
    complaints: Complaints,
}

/// The thread's side.
pub(crate) struct Watch {
    shared: Arc<Shared>,
    woken: Receiver<()>,
    complaints: Complaints,
}

#[derive(Default)]
struct Shared {
    /// Tasks written since the last checkpoint.
    tasks: AtomicUsize,
    /// The writer is asked to help.
    help: AtomicBool,
}

pub(crate) fn load(complaints: &Complaints) -> (Load, Watch) {
    let (wake, woken) = sync_channel(1);
    let shared = Arc::new(Shared::default());
    let load = Load { shared: shared.clone(), wake, complaints: complaints.clone() };
    (load, Watch { shared, woken, complaints: complaints.clone() })
}

impl Load {
    /// Counts tasks that are about to be written, and helps when asked to. To be called outside any
    /// transaction.
    pub(crate) fn before_group(&self, conn: &Connection, tasks: usize) {
        if self.shared.help.swap(false, Ordering::Relaxed) {
            checkpoint(conn, &self.complaints);
        }
        if self.shared.tasks.fetch_add(tasks, Ordering::Relaxed) == 0 {
            // A full channel has woken it already; a closed one has nobody to wake.
            let _ = self.wake.try_send(());
        }
    }
}

/// Starts the thread. It ends after the [`Load`] is dropped.
pub(crate) fn start(conn: Connection, watch: Watch) -> Result<JoinHandle<()>, StorageError> {
    let complaints = watch.complaints.clone();
    let run = move || {
        while watch.until_due() {
            if checkpoint(&conn, &complaints) > LONG {
                watch.shared.help.store(true, Ordering::Relaxed);
            }
        }
    };
    std::thread::Builder::new().name("storage-checkpoint".into()).spawn(run).map_err(error::file)
}

impl Watch {
    /// Waits until a checkpoint is due; `false` when the writer has ended.
    fn until_due(&self) -> bool {
        if self.woken.recv().is_err() {
            return false;
        }
        let mut seen = 0;
        loop {
            match self.woken.recv_timeout(TICK) {
                Err(RecvTimeoutError::Disconnected) => return false,
                Err(RecvTimeoutError::Timeout) | Ok(()) => {}
            }
            let tasks = self.shared.tasks.load(Ordering::Relaxed);
            if tasks >= MUCH || tasks == seen {
                self.shared.tasks.store(0, Ordering::Relaxed);
                return true;
            }
            seen = tasks;
        }
    }
}

/// Copies what can be copied now, and returns the length of the log in pages.
fn checkpoint(conn: &Connection, complaints: &Complaints) -> i64 {
    let pages = conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get(1));
    pages.unwrap_or_else(|error| {
        // Nothing is lost: the log stays as it is, and the next checkpoint tries again.
        complaints.of("the write-ahead log cannot be copied into the store", &error);
        0
    })
}

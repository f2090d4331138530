//! The one thread that writes, so that many commits share one wait for the disk. Owns the writing connection and its
//! transactions; the callers' closures do the writing.
//!
//! The protocol of a group:
//!
//! 1. The thread sleeps until its channel has a task, then takes all waiting tasks. If the store's files are not those of
//!    their names any more, all are refused.
//! 2. `BEGIN IMMEDIATE` takes the write lock of the file, waiting for other processes.
//! 3. Each task runs inside its own `SAVEPOINT`. If it fails, it is rolled back without affecting the others. A task
//!    sees the changes of the tasks before it in the group.
//! 4. `COMMIT` writes the log and waits for the disk, once for all.
//! 5. Only then do callers get their results, even the refused ones: the reason may be another task's change, which
//!    must not be visible before it is durable.
//!    If the files were moved away meanwhile, the callers get that error instead.
//! 6. If the whole transaction fails (no lock, disk full), it is rolled back and all callers get the error.
//!
//! While the thread waits for the disk, the next group gathers in the channel: more callers mean larger groups, and
//! nobody waits for a timer.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use parking_lot::Mutex;
use rusqlite::Connection;
use svc_storage::StorageError;
use tokio::sync::oneshot;

use crate::checkpoint::Load;
use crate::complaints::Complaints;
use crate::error;
use crate::in_place::InPlace;

/// Tasks in one group at most, so that the first is not kept waiting for long.
const GROUP: usize = 512;

/// The way to the writing thread.
pub(crate) struct Writer {
    tasks: Mutex<Option<Sender<Box<dyn Task>>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    pub(crate) fn start(
        conn: Connection,
        in_place: Arc<InPlace>,
        load: Load,
        complaints: Complaints,
    ) -> Result<Self, StorageError> {
        let (tasks, waiting) = channel();
        let thread = std::thread::Builder::new()
            .name("storage-writer".into())
            .spawn(move || run(&conn, &waiting, &in_place, &load, &complaints))
            .map_err(error::file)?;
        Ok(Self { tasks: Mutex::new(Some(tasks)), thread: Mutex::new(Some(thread)) })
    }

    /// A writer that refuses everything.
    pub(crate) const fn closed() -> Self {
        Self { tasks: Mutex::new(None), thread: Mutex::new(None) }
    }

    /// Runs `work` inside a transaction and returns when that is on the disk. `work` runs once; when it
    /// returns an error, nothing of what it did stays.
    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, StorageError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StorageError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let task = Pending { state: State::Waiting(work), reply };
        self.submit(Box::new(task))?;
        answer.await.map_err(|_| error::closed())?
    }

    fn submit(&self, task: Box<dyn Task>) -> Result<(), StorageError> {
        match self.tasks.lock().as_ref() {
            Some(tasks) => tasks.send(task).map_err(|_| error::closed()),
            None => Err(error::closed()),
        }
    }

    /// Does what waits, and ends the thread. Later writes are refused.
    pub(crate) fn close(&self) {
        drop(self.tasks.lock().take());
        if let Some(thread) = self.thread.lock().take()
            && thread.join().is_err()
        {
            tracing::error!("the storage writer panicked");
        }
    }
}

/// What the thread is asked to do.
trait Task: Send {
    /// Does the work and keeps its result. An error undoes what it did.
    fn run(&mut self, conn: &Connection) -> Result<(), Undo>;
    /// Answers: `Ok` when the transaction is on the disk.
    fn answer(self: Box<Self>, outcome: Result<(), StorageError>);
}

/// A task's work is to be undone.
struct Undo;

struct Pending<T, F> {
    state: State<T, F>,
    reply: oneshot::Sender<Result<T, StorageError>>,
}

enum State<T, F> {
    Waiting(F),
    Done(Result<T, StorageError>),
    Gone,
}

impl<T, F> Task for Pending<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> Result<T, StorageError> + Send,
{
    fn run(&mut self, conn: &Connection) -> Result<(), Undo> {
        if let State::Waiting(work) = std::mem::replace(&mut self.state, State::Gone) {
            let result = work(conn);
            let undo = result.is_err();
            self.state = State::Done(result);
            if undo {
                return Err(Undo);
            }
        }
        Ok(())
    }

    fn answer(self: Box<Self>, outcome: Result<(), StorageError>) {
        let result = match (outcome, self.state) {
            (Ok(()), State::Done(result)) => result,
            (Ok(()), State::Waiting(_) | State::Gone) => Err(error::closed()),
            (Err(failure), _) => Err(failure),
        };
        // A caller that no longer listens has no use for the answer.
        let _ = self.reply.send(result);
    }
}

fn run(
    conn: &Connection,
    waiting: &Receiver<Box<dyn Task>>,
    in_place: &InPlace,
    load: &Load,
    complaints: &Complaints,
) {
    let mut group = Vec::new();
    while let Ok(first) = waiting.recv() {
        group.push(first);
        group.extend(waiting.try_iter().take(GROUP - 1));
        if let Err(gone) = in_place.check() {
            answer_all(&mut group, || Err(lost(&gone)));
            continue;
        }
        load.before_group(conn, group.len());
        let outcome = transaction(conn, &mut group);
        if let Err(error) = &outcome {
            complaints.of("nothing can be written to the store", error);
            if !conn.is_autocommit() {
                // What cannot even be rolled back makes the next BEGIN fail and be reported.
                let _ = conn.execute_batch("ROLLBACK");
            }
        }
        in_place.committed();
        let still = in_place.check();
        answer_all(&mut group, || {
            outcome.as_ref().copied().map_err(again)?;
            still.as_ref().copied().map_err(lost)
        });
    }
}

fn answer_all(group: &mut Vec<Box<dyn Task>>, outcome: impl Fn() -> Result<(), StorageError>) {
    for task in group.drain(..) {
        task.answer(outcome());
    }
}

/// What is wrong with the files once more, for each of the group.
fn lost(gone: &StorageError) -> StorageError {
    StorageError::Unusable(gone.to_string())
}

/// The error once more, for each of the group.
fn again(error: &rusqlite::Error) -> StorageError {
    match error {
        rusqlite::Error::SqliteFailure(code, text) => {
            error::database(rusqlite::Error::SqliteFailure(*code, text.clone()))
        }
        other => StorageError::Unavailable(other.to_string().into()),
    }
}

fn transaction(conn: &Connection, group: &mut [Box<dyn Task>]) -> rusqlite::Result<()> {
    let sql = |text| conn.prepare_cached(text)?.execute([]);
    sql("BEGIN IMMEDIATE")?;
    for task in group {
        sql("SAVEPOINT task")?;
        if task.run(conn).is_err() {
            sql("ROLLBACK TO task")?;
        }
        sql("RELEASE task")?;
    }
    sql("COMMIT")?;
    Ok(())
}

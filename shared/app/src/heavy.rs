//! Work that keeps a processor busy, away from the threads that answer requests: rendering, comparing,
//! tokenizing, hashing, drawing.
//!
//! A [`Lane`] does few such things at once, each on a blocking thread, and lets few wait, with few bytes in their
//! hands; whoever finds no place in time is told to come back. So however much of it is asked for, other requests
//! find the processors, and what waits takes a bounded part of the memory, which small work finds a place in longer
//! than large work does. Work cannot be interrupted: whoever gives it bounds it by what goes in.
//!
//! Texts that become an answer are [held](hold) from the time when they are read until the answer is made: those that
//! are held at once are bounded too.

use std::cell::RefCell;
use std::sync::LazyLock;
use std::thread::available_parallelism;
use std::time::Duration;

use svc_storage::StorageError;
use tokio::sync::{Semaphore, SemaphorePermit, TryAcquireError};
use tokio::task::spawn_blocking;
use tokio::task_local;
use tokio::time::timeout;

use crate::error::Result;

/// How long work may wait for its turn, and then take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Texts that take no longer than being handed to another thread and back.
const LIGHT: usize = 8 * 1024;

/// Kilobytes of texts that are worked on or wait for it, and of those that answers hold. A hundred comments as long as
/// they may be are 5 MB.
const ROOM: usize = 32 * 1024;

/// Texts: one processor is left to all else.
static TEXTS: LazyLock<Lane> = LazyLock::new(|| {
    let processors = available_parallelism().map_or(2, usize::from);
    Lane::new(processors.saturating_sub(1).max(1), 64)
});

/// Room for the texts of answers that are being made.
static ANSWERS: Semaphore = Semaphore::const_new(ROOM);

task_local! {
    /// What a request takes of it.
    static HELD: RefCell<Vec<SemaphorePermit<'static>>>;
}

/// Makes an answer, which [holds](hold) texts until it is made.
pub async fn answering<T>(answer: impl Future<Output = T>) -> T {
    HELD.scope(RefCell::default(), answer).await
}

/// Takes room for texts of so many bytes until the answer that they go into is made. Short texts and those of no
/// answer take none.
///
/// # Errors
/// [`StorageError::Unavailable`] when other answers hold too much.
pub fn hold(bytes: usize) -> Result<()> {
    if bytes <= LIGHT {
        return Ok(());
    }
    let taken = HELD.try_with(|held| {
        held.borrow_mut().push(ANSWERS.try_acquire_many(kilobytes(bytes))?);
        Ok(())
    });
    taken.unwrap_or(Ok(())).map_err(|_: TryAcquireError| busy().into())
}

/// The room that so many bytes take: what is larger than all of it is done alone.
fn kilobytes(bytes: usize) -> u32 {
    u32::try_from((bytes / 1_024).min(ROOM)).unwrap_or(u32::MAX)
}

/// A bounded number of threads, and of those who wait for one.
pub struct Lane {
    threads: Semaphore,
    waiting: Semaphore,
    /// Kilobytes that those who work and those who wait may hold.
    room: Semaphore,
}

impl Lane {
    /// A lane of so many threads, for which so many may wait.
    pub const fn new(threads: usize, waiting: usize) -> Self {
        Self {
            threads: Semaphore::const_new(threads),
            waiting: Semaphore::const_new(waiting),
            room: Semaphore::const_new(ROOM),
        }
    }

    /// Does work that holds little when a thread is free.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] when too much of it is asked for at once, or the process is stopping.
    pub async fn run<T: Send + 'static>(
        &'static self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        self.run_holding(0, work).await
    }

    /// Does work that holds so many bytes when a thread is free.
    async fn run_holding<T: Send + 'static>(
        &'static self,
        bytes: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let room = self.room.try_acquire_many(kilobytes(bytes)).map_err(|_| busy())?;
        let place = self.waiting.try_acquire().map_err(|_| busy())?;
        let thread = timeout(PATIENCE, self.threads.acquire()).await.map_err(|_| busy())?;
        let thread = thread.expect("nobody closes the semaphore");
        drop(place);
        // The permits go along: a caller who gives up does not make room for more work.
        let done = spawn_blocking(move || {
            let _held = (thread, room);
            work()
        });
        match timeout(PATIENCE, done).await {
            Ok(done) => done.map_err(|error| StorageError::Unavailable(Box::new(error)).into()),
            Err(_) => Err(busy().into()),
        }
    }
}

fn busy() -> StorageError {
    StorageError::Unavailable("too much CPU work at once".into())
}

/// Does work on texts of so many bytes: at once where they are short, in turn where they are long.
///
/// # Errors
/// As [`Lane::run`].
pub async fn on_texts<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    if bytes <= LIGHT { Ok(work()) } else { TEXTS.run_holding(bytes, work).await }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use futures::future::join_all;

    use super::{Lane, ROOM, answering, hold};

    #[tokio::test]
    async fn who_finds_no_place_is_told_at_once_and_who_waits_has_a_turn() {
        static LANE: Lane = Lane::new(1, 2);
        let (go, gone) = channel::<()>();
        let first = tokio::spawn(LANE.run(move || gone.recv().is_ok()));
        while LANE.threads.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let waiting: Vec<_> = (0..2).map(|n| tokio::spawn(LANE.run(move || n))).collect();
        while LANE.waiting.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert!(LANE.run(|| ()).await.is_err(), "nobody else may wait");
        go.send(()).unwrap();
        assert!(first.await.unwrap().unwrap());
        let turns: Vec<_> = join_all(waiting).await.into_iter().map(|turn| turn.unwrap().unwrap()).collect();
        assert_eq!(turns, [0, 1]);
    }

    /// A search of long pages held 10 MB while it waited, and sixty waited.
    #[tokio::test]
    async fn large_work_finds_no_place_where_small_work_still_does() {
        static LANE: Lane = Lane::new(1, 8);
        let (go, gone) = channel::<()>();
        let most = ROOM * 1_024 * 9 / 10;
        let first = tokio::spawn(LANE.run_holding(most, move || gone.recv().is_ok()));
        while LANE.threads.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert!(LANE.run_holding(most, || ()).await.is_err(), "there is no room for as much again");
        let small = tokio::spawn(LANE.run_holding(10_000, || 7));
        go.send(()).unwrap();
        assert_eq!(small.await.unwrap().unwrap(), 7);
        assert!(first.await.unwrap().unwrap());
        assert_eq!(LANE.run_holding(usize::MAX, || 8).await.unwrap(), 8, "alone there is room for anything");
    }

    /// 280 requests for 5 MB each took 460 MB.
    #[tokio::test]
    async fn answers_hold_texts_in_turn_until_they_are_made() {
        let most = ROOM * 1_024 * 9 / 10;
        answering(async {
            hold(most).unwrap();
            assert!(answering(async { hold(most) }).await.is_err(), "the first answer is not made yet");
            answering(async { hold(100).unwrap() }).await;
        })
        .await;
        answering(async { hold(most).unwrap() }).await;
        hold(most).expect("a worker makes no answer");
    }

    #[tokio::test]
    async fn work_that_panics_frees_its_thread() {
        static LANE: Lane = Lane::new(1, 1);
        assert!(LANE.run(|| panic!("on purpose")).await.is_err());
        assert_eq!(LANE.run(|| 7).await.unwrap(), 7);
    }
}

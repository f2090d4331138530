//! Work that keeps a processor busy, away from the threads that answer requests: rendering, comparing,
//! tokenizing, hashing, drawing.
//!
//! A [`Lane`] does few such things at once, each on a blocking thread, and lets few wait, with few bytes in their
//! hands; a request that finds no place in time is told to come back. So however much of it is asked for, other requests
//! find the processors, and what waits takes a bounded part of the memory, which small work finds a place in longer
//! than large work does. Work cannot be interrupted: callers bound it by what goes in.
//!
//! Where many long texts are read to be worked on, the reading happens [in turn](in_turn) too: otherwise all who ask
//! read at once, and most find no place for the work afterwards.
//!
//! Texts that become an answer have their [room] from before they are read until the answer is made: those that are
//! held at once are bounded too. A request that finds none waits, and one account's answers take half of it at most.

use std::cell::RefCell;
use std::sync::{Arc, LazyLock};
use std::thread::available_parallelism;
use std::time::Duration;

use parking_lot::Mutex;
use svc_storage::StorageError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
use tokio::task::spawn_blocking;
use tokio::task_local;
use tokio::time::{Instant, timeout};

use crate::error::{Error, Result};
use crate::weak_map::WeakMap;

/// How long work may wait for its turn, and then take.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often an operator is told that work is refused.
const TOLD_EVERY: Duration = Duration::from_mins(1);

/// Texts that take no longer than being handed to another thread and back.
const LIGHT: usize = 8 * 1024;

/// Lines of two texts that take no longer to be compared: the work grows with their square.
const FEW_LINES: usize = 200;

/// Kilobytes of texts that are worked on or wait for it, and of those that answers hold. A hundred comments as long as
/// they may be are 5 MB.
const ROOM: usize = 32 * 1024;

/// Texts: one processor is left to all else.
static TEXTS: LazyLock<Lane> = LazyLock::new(|| {
    let processors = available_parallelism().map_or(2, usize::from);
    Lane::new(processors.saturating_sub(1).max(1), 64)
});

/// Reading of many texts, with what is done with them: as many as there are processors, so that requests that read
/// little come in between.
static READS: LazyLock<Lane> =
    LazyLock::new(|| Lane::new(available_parallelism().map_or(2, usize::from).max(2), 64));

/// Room for the texts of answers that are being made, and what one account's may take of it.
static ANSWERS: Semaphore = Semaphore::const_new(ROOM);
const SHARE: usize = ROOM / 2;

/// Tables that are made or sent at once: 20 MB each.
static TABLES: Semaphore = Semaphore::const_new(6);

/// How many of one account's may wait to be read in turn. Each account has one place in the lane of reading.
const PLACES: usize = 8;

/// The shares of the accounts with responses that take room or work on texts.
static SHARES: LazyLock<WeakMap<Arc<str>, Share>> = LazyLock::new(WeakMap::default);

task_local! {
    /// The answer that is being made.
    static ANSWER: Answer;
}

/// What one account's answers may take together.
struct Share {
    room: Arc<Semaphore>,
    /// Kilobytes of texts that wait to be worked on.
    waiting_texts: Semaphore,
    /// They are worked on one after the other, so that others' come in between.
    turn: Semaphore,
    /// So are those that are read in turn,
    reading: Semaphore,
    /// and few wait for that.
    waiting: Semaphore,
    /// A table is made and sent before the next.
    table: Arc<Semaphore>,
}

impl Share {
    fn new() -> Self {
        Self {
            room: Arc::new(Semaphore::new(SHARE)),
            waiting_texts: Semaphore::new(SHARE),
            turn: Semaphore::new(1),
            reading: Semaphore::new(1),
            waiting: Semaphore::new(PLACES),
            table: Arc::new(Semaphore::new(1)),
        }
    }
}

/// The account that a response is charged to, and the room that its texts take.
struct Answer {
    account: Arc<str>,
    held: RefCell<Vec<Room>>,
}

/// Makes an answer for an account, which has [room] for its texts until it is made. Requests without an account share one.
pub async fn answering<T>(account: Option<&Arc<str>>, answer: impl Future<Output = T>) -> T {
    let account = account.map_or_else(|| Arc::from(""), Arc::clone);
    ANSWER.scope(Answer { account, held: RefCell::default() }, answer).await
}

/// Room for texts of an answer, or the place of a table.
#[must_use = "room is given back when it is dropped"]
#[derive(Default)]
pub struct Room {
    kilobytes: u32,
    of_account: Option<OwnedSemaphorePermit>,
    of_all: Option<SemaphorePermit<'static>>,
    /// Remembered while some of it is taken.
    _share: Option<Arc<Share>>,
}

impl Room {
    /// Keeps as much of it as so many bytes take until the answer is made.
    pub fn keep(mut self, bytes: usize) {
        let spare = self.kilobytes.saturating_sub(kilobytes(bytes)) as usize;
        drop(self.of_account.as_mut().and_then(|room| room.split(spare)));
        drop(self.of_all.as_mut().and_then(|room| room.split(spare)));
        // A worker makes no answer.
        let _ = ANSWER.try_with(|answer| answer.held.borrow_mut().push(self));
    }
}

/// Waits for room for texts of at most so many bytes, which are about to be read. Short texts and those of no answer take
/// none. An answer asks for all its room at once: two that wait for more while they hold some would wait for each other.
///
/// # Errors
/// [`Error::Busy`] when others hold too much for too long.
pub async fn room(most: usize) -> Result<Room> {
    if most <= LIGHT {
        return Ok(Room::default());
    }
    let Some(share) = share() else { return Ok(Room::default()) };
    let kilobytes = kilobytes(most.min(SHARE * 1_024));
    let of_account = Arc::clone(&share.room);
    take(share, of_account, &ANSWERS, kilobytes).await
}

/// Waits for the place of a table, which is as long as ten thousand items are. It is held until the table is sent: an
/// account has one at a time.
///
/// # Errors
/// [`Error::Busy`] when the account's table before, or those of others, take too long.
pub async fn table() -> Result<Room> {
    let Some(share) = share() else { return Ok(Room::default()) };
    let of_account = Arc::clone(&share.table);
    take(share, of_account, &TABLES, 1).await
}

/// Takes so much of what an account may have, and of what there is for all.
async fn take(
    share: Arc<Share>,
    of_account: Arc<Semaphore>,
    of_all: &'static Semaphore,
    much: u32,
) -> Result<Room> {
    let taken = async {
        let of_account = of_account.acquire_many_owned(much).await.ok();
        let of_all = of_all.acquire_many(much).await.ok();
        Room { kilobytes: much, of_account, of_all, _share: Some(share) }
    };
    timeout(PATIENCE, taken).await.map_err(|_| busy())
}

/// The share of the account that the response is charged to.
fn share() -> Option<Arc<Share>> {
    let account = ANSWER.try_with(|answer| Arc::clone(&answer.account)).ok()?;
    Some(SHARES.get(account, Share::new))
}

/// The room that so many bytes take: what is larger than all of it is done alone.
fn kilobytes(bytes: usize) -> u32 {
    u32::try_from((bytes / 1_024).min(ROOM)).unwrap_or(u32::MAX)
}

/// A bounded number of threads, and of requests that wait for one.
pub struct Lane {
    threads: Semaphore,
    waiting: Semaphore,
    /// Kilobytes that working and waiting requests may hold.
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
    /// [`Error::Busy`] when too much of it is asked for at once, or the process is stopping.
    pub async fn run<T: Send + 'static>(
        &'static self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        self.run_holding(0, work).await
    }

    /// Waits until few others are at it.
    async fn turn(&'static self) -> Result<SemaphorePermit<'static>> {
        turn_of(&self.threads, &self.waiting).await
    }

    /// Does work that holds so many bytes when a thread is free.
    async fn run_holding<T: Send + 'static>(
        &'static self,
        bytes: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let room = self.hold(bytes)?;
        self.run_in(room, work).await
    }

    /// Room for so many bytes that work holds while it waits, and until it is done.
    fn hold(&'static self, bytes: usize) -> Result<SemaphorePermit<'static>> {
        self.room.try_acquire_many(kilobytes(bytes)).map_err(|_| busy())
    }

    async fn run_in<T: Send + 'static>(
        &'static self,
        room: SemaphorePermit<'static>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let thread = self.turn().await?;
        // The permits go along: a caller who gives up does not make room for more work.
        let done = spawn_blocking(move || {
            let _held = (thread, room);
            work()
        });
        match timeout(PATIENCE, done).await {
            Ok(done) => done.map_err(|error| StorageError::Unavailable(Box::new(error)).into()),
            Err(_) => Err(busy()),
        }
    }
}

/// Tells the operator, once a minute, for whom there was no room; the caller is told to come back.
fn busy() -> Error {
    static TOLD: Mutex<Option<Instant>> = Mutex::new(None);
    let mut told = TOLD.lock();
    if told.is_none_or(|at| at.elapsed() >= TOLD_EVERY) {
        *told = Some(Instant::now());
        let account = ANSWER.try_with(|answer| answer.account.to_string()).unwrap_or_default();
        tracing::warn!(account, "requests for long texts or pictures are refused: too many come at once");
    }
    Error::Busy
}

/// Does work on texts of so many bytes: at once where they are short, in turn where they are long. Those of one account
/// that wait have half of the lane's room at most.
///
/// # Errors
/// As [`Lane::run`].
pub async fn on_texts<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    if bytes <= LIGHT { Ok(work()) } else { on_long_texts(bytes, work).await }
}

/// Compares two texts by their lines: at once where these are short and few, in turn where they are long or many.
///
/// # Errors
/// As [`Lane::run`].
pub async fn comparing<T: Send + 'static>(
    old: String,
    new: String,
    compare: impl FnOnce(&str, &str) -> T + Send + 'static,
) -> Result<T> {
    let bytes = old.len() + new.len();
    let lines = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
    if bytes <= LIGHT && lines(&old) + lines(&new) <= FEW_LINES {
        return Ok(compare(&old, &new));
    }
    on_long_texts(bytes, move || compare(&old, &new)).await
}

async fn on_long_texts<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let share = share();
    let _waits = match &share {
        Some(share) => {
            let kilobytes = kilobytes(bytes.min(SHARE * 1_024));
            Some(share.waiting_texts.try_acquire_many(kilobytes).map_err(|_| busy())?)
        }
        None => None,
    };
    let room = TEXTS.hold(bytes)?;
    let turn = async {
        match &share {
            Some(share) => share.turn.acquire().await.ok(),
            None => None,
        }
    };
    let _turn = timeout(PATIENCE, turn).await.map_err(|_| busy())?;
    TEXTS.run_in(room, work).await
}

/// Reads many texts and works on them, when few others do, and no other of the same account.
///
/// # Errors
/// [`Error::Busy`] when too many wait for it, and what the work says.
pub async fn in_turn<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let share = share();
    let _of_account = match &share {
        Some(share) => Some(turn_of(&share.reading, &share.waiting).await?),
        None => None,
    };
    let _turn = READS.turn().await?;
    work.await
}

/// Waits for a turn in one of the waiting places.
async fn turn_of<'a>(turns: &'a Semaphore, places: &Semaphore) -> Result<SemaphorePermit<'a>> {
    let place = places.try_acquire().map_err(|_| busy())?;
    let turn = timeout(PATIENCE, turns.acquire()).await.map_err(|_| busy())?;
    drop(place);
    Ok(turn.expect("nobody closes the semaphore"))
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::sync::mpsc::channel;
    use std::thread::available_parallelism;

    use futures::FutureExt as _;
    use futures::future::join_all;

    use super::{Lane, ROOM, Result, SHARE, answering, comparing, in_turn, on_texts, room};

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

    /// Eight requests for the difference of 4 KB of one-letter lines made others wait for 0.7 s.
    #[tokio::test]
    async fn texts_of_many_short_lines_are_not_compared_on_the_threads_that_answer_requests() {
        let here = std::thread::current().id();
        let thread = |text: String| comparing(text.clone(), text, |_, _| std::thread::current().id());
        assert_eq!(thread("a\n".repeat(100)).await.unwrap(), here);
        assert_ne!(thread("a\n".repeat(2_000)).await.unwrap(), here);
        assert_ne!(thread("a".repeat(20_000)).await.unwrap(), here);
    }

    /// 280 requests for 5 MB each took 460 MB.
    #[tokio::test]
    async fn answers_hold_texts_in_turn_until_they_are_made() {
        let ada: Arc<str> = "ada".into();
        let most = SHARE * 1_024;
        answering(Some(&ada), async {
            room(most).await.unwrap().keep(most);
            let second = answering(Some(&ada), room(most));
            assert!(second.now_or_never().is_none(), "the first answer is not made yet");
            answering(Some(&ada), async { room(100).await.unwrap().keep(100) }).await;
        })
        .await;
        answering(Some(&ada), room(most)).now_or_never().expect("there is room again").unwrap().keep(0);
        room(most).await.expect("a worker makes no answer").keep(most);
    }

    /// Thirty requests of one account made half of everybody's exports fail.
    #[tokio::test]
    async fn one_account_leaves_room_for_others() {
        let (ada, ben): (Arc<str>, Arc<str>) = ("ada".into(), "ben".into());
        let most = 100 * 50_000;
        let hers = async {
            for _ in 0..3 {
                room(most).await.unwrap().keep(most);
            }
            assert!(room(most).now_or_never().is_none(), "her share is taken");
            let his = answering(Some(&ben), room(most));
            his.now_or_never().expect("his is not").unwrap().keep(0);
        };
        answering(Some(&ada), hers).await;
    }

    #[tokio::test]
    async fn room_that_texts_do_not_need_goes_back_once_they_are_read() {
        let ada: Arc<str> = "ada".into();
        answering(Some(&ada), async {
            let whole = room(SHARE * 1_024).await.unwrap();
            whole.keep(10_000);
            room(SHARE * 1_000).now_or_never().expect("all but little is free").unwrap().keep(0);
        })
        .await;
    }

    /// Thirty-two searches of long pages read 10 MB each on the threads that answer requests, and a read of an item
    /// waited for 240 ms.
    #[tokio::test]
    async fn few_read_many_texts_at_once() {
        let (reading, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let one = || async {
            most.fetch_max(reading.fetch_add(1, SeqCst) + 1, SeqCst);
            tokio::task::yield_now().await;
            reading.fetch_sub(1, SeqCst);
            Ok(())
        };
        let all = join_all((0..32).map(|_| in_turn(one()))).await;
        assert!(all.into_iter().all(|read| read.is_ok()), "each has its turn");
        let processors = available_parallelism().map_or(2, usize::from).max(2);
        assert!(most.into_inner() <= processors);
    }

    /// A hundred searches of one account took every place, and everybody else's were refused.
    #[tokio::test]
    async fn one_accounts_searches_leave_places_for_others() {
        let (ada, ben): (Arc<str>, Arc<str>) = ("ada who searches".into(), "ben who searches".into());
        let mut hers: Vec<_> =
            (0..100).map(|_| Box::pin(answering(Some(&ada), in_turn(pending::<Result<()>>())))).collect();
        let refused =
            hers.iter_mut().filter_map(|search| search.now_or_never()).filter(Result::is_err).count();
        assert_eq!(refused, 91, "one has its turn, and eight wait");
        answering(Some(&ben), in_turn(async { Ok(()) })).await.unwrap();
    }

    /// 280 discussions of which each had read 1 MB waited for their account's turn: 590 MB.
    #[tokio::test]
    async fn one_accounts_texts_that_wait_leave_room_for_those_of_others() {
        let (ada, ben): (Arc<str>, Arc<str>) = ("ada who reads".into(), "ben who reads".into());
        let (go, gone) = channel::<()>();
        let first = answering(Some(&ada), on_texts(SHARE * 1_024, move || gone.recv().is_ok()));
        let mut first = Box::pin(first);
        assert!(first.as_mut().now_or_never().is_none(), "it is worked on");
        let more = answering(Some(&ada), on_texts(10_000, || ())).now_or_never();
        assert!(more.expect("it is told at once").is_err());
        let mut his = Box::pin(answering(Some(&ben), on_texts(10_000, || 7)));
        assert!(his.as_mut().now_or_never().is_none(), "it waits for the thread, or has it");
        go.send(()).unwrap();
        assert!(first.await.unwrap());
        assert_eq!(his.await.unwrap(), 7);
    }

    #[tokio::test]
    async fn work_that_panics_frees_its_thread() {
        static LANE: Lane = Lane::new(1, 1);
        assert!(LANE.run(|| panic!("on purpose")).await.is_err());
        assert_eq!(LANE.run(|| 7).await.unwrap(), 7);
    }
}

//! A store in memory for simulations: a table and a queue that yield at every call, lose calls on request, and can be
//! copied in no time.
//!
//! **Calls.** While several are at work ([`Memory::race`]), each call of the table first gives way once, so that
//! whoever drives them decides at every call which of them goes on. [`Memory::fail_at`] lets one of the next calls fail: before anything was done, or, for
//! a commit, after it was done and before the caller is told, as when a process dies.
//!
//! **Mutations.** [`Mutation`] changes what commits write, to see that the invariants notice.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::future::poll_fn;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use svc_app::ports::Clock as _;
use svc_storage::{
    Commit, Condition, Cursor, Key, Message, Op, OpKind, Order, Query, Queue, Range, Row, RowPage,
    StorageError, Table,
};
use svc_testkit::TestClock;

/// A mistake that is made on purpose in every commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// The end of a run leaves its agent's token.
    KeepTokens,
    /// The end of a run leaves no comment.
    ForgetComments,
    /// Rows of runs are written whatever happened since they were read.
    OverwriteRuns,
    /// Rows of items are written whatever happened since they were read.
    OverwriteItems,
    /// A run that goes back to the queue has no place there.
    LoseQueueRows,
    /// A firing leaves no record.
    ForgetFirings,
    /// The row of a refinement is not written when its run ends.
    ForgetRefinements,
    /// The row of a mention is not written when its run starts.
    ForgetMentions,
    /// An item does not keep that others block it.
    ForgetBlockers,
    /// Runs begin whatever began since the budgets were looked at.
    OverspendBudgets,
    /// A schedule fires whatever fired since it was read.
    RepeatSchedules,
    /// A request gets a run whatever it got since it came.
    RepeatTakes,
    /// What is on its way to a person is not written.
    ForgetHeads,
    /// News that wait to be sent are written whatever came or was sent since they were read.
    OverwriteWaiting,
    /// Nothing says when news are due.
    ForgetDue,
}

impl Mutation {
    /// Every mistake in telling people.
    pub const OF_TELLING: [Self; 3] = [Self::ForgetHeads, Self::OverwriteWaiting, Self::ForgetDue];

    /// Every mistake of the factory.
    pub const ALL: [Self; 12] = [
        Self::KeepTokens,
        Self::ForgetComments,
        Self::OverwriteRuns,
        Self::OverwriteItems,
        Self::LoseQueueRows,
        Self::ForgetFirings,
        Self::ForgetRefinements,
        Self::ForgetMentions,
        Self::ForgetBlockers,
        Self::OverspendBudgets,
        Self::RepeatSchedules,
        Self::RepeatTakes,
    ];

    /// The operations of a commit after the mistake.
    fn applied(self, mut ops: Vec<Op>) -> Vec<Op> {
        let relax_rows = |ops: &mut Vec<Op>, is_guard: fn(&Key) -> bool| {
            ops.iter_mut().filter(|op| is_guard(&op.key)).for_each(|op| op.condition = Condition::None);
        };
        let puts = |op: &Op| matches!(op.kind, OpKind::Put { .. });
        let ends_run = ops.iter().any(|op| op.key.pk.starts_with("LIVE#") && op.kind == OpKind::Delete);
        // A row is guarded by more than its own version: by the rows that the same commit makes and deletes.
        let relax = |ops: &mut Vec<Op>, partitions: &[&str]| {
            let guarded = |op: &&mut Op| partitions.iter().any(|pk| op.key.pk.starts_with(pk));
            ops.iter_mut().filter(guarded).for_each(|op| op.condition = Condition::None);
        };
        match self {
            Self::KeepTokens => {
                ops.retain(|op| !(op.key.pk.starts_with("SECRET#") && op.kind == OpKind::Delete))
            }
            Self::ForgetComments => ops.retain(|op| !op.key.sk.starts_with("COMMENT#")),
            Self::OverwriteRuns => {
                relax(&mut ops, &["RUN#", "LIVE#", "TAKEN#", "QUEUE#", "SECRET#", "ITEM#", "FEED#"])
            }
            Self::OverwriteItems => relax(&mut ops, &["ITEM#", "FEED#"]),
            Self::LoseQueueRows => {
                ops.retain(|op| !(ends_run && op.key.pk.starts_with("QUEUE#") && puts(op)))
            }
            Self::ForgetFirings => ops.retain(|op| !op.key.pk.starts_with("FIRED#")),
            Self::ForgetMentions => {
                let queues = ops.iter().any(|op| op.key.pk.starts_with("QUEUE#") && puts(op));
                ops.retain(|op| !(queues && op.key.sk.starts_with("MENTION#")));
            }
            Self::ForgetBlockers => {
                for op in ops.iter_mut().filter(|op| op.key.sk == "ITEM") {
                    if let OpKind::Put { doc, .. } = &mut op.kind {
                        *doc = doc.replace(r#""hasOpenBlocker":true,"#, "");
                    }
                }
            }
            Self::OverspendBudgets => relax_rows(&mut ops, |key| key.sk == "STARTS"),
            Self::RepeatSchedules => {
                relax_rows(&mut ops, |key| {
                    ["DUE", "DONE#"].iter().any(|pk| key.pk.starts_with(pk)) || key.sk == "SCHEDULES"
                });
            }
            Self::RepeatTakes => relax_rows(&mut ops, |key| key.pk.starts_with("TAKEN#")),
            Self::ForgetHeads => ops.retain(|op| op.key.sk != "HEAD"),
            Self::OverwriteWaiting => relax(&mut ops, &["SEND#"]),
            Self::ForgetDue => ops.retain(|op| !op.key.pk.starts_with("TOSEND#")),
            Self::ForgetRefinements => ops.retain(|op| !(ends_run && op.key.sk == "REFINEMENT")),
        }
        ops
    }
}

/// Rows, and what is to go wrong.
pub(super) struct Memory {
    state: Mutex<State>,
    mutation: Option<Mutation>,
}

#[derive(Default)]
struct State {
    rows: BTreeMap<Key, Row>,
    tokens: HashSet<String>,
    failure: Option<Failure>,
    /// Whether several are at work.
    races: bool,
    /// Writes so far.
    writes: u64,
    /// Every call so far, in its order.
    trace: DefaultHasher,
}

/// A call that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// How many calls go well before.
    pub after: u8,
    /// Whether a commit is done all the same.
    pub done: bool,
}

impl Memory {
    /// A table with these rows.
    pub(super) fn new(rows: BTreeMap<Key, Row>, mutation: Option<Mutation>) -> Self {
        Self { state: Mutex::new(State { rows, ..State::default() }), mutation }
    }

    /// Lets one of the next calls fail, or none.
    pub(super) fn fail_at(&self, failure: Option<Failure>) {
        self.state.lock().failure = failure;
    }

    /// Lets calls give way to each other from now on, or no longer.
    pub(super) fn race(&self, races: bool) {
        self.state.lock().races = races;
    }

    /// A digest of every call so far, in its order: what replays exactly has the same.
    pub(super) fn trace(&self) -> u64 {
        self.state.lock().trace.finish()
    }

    /// How often something was written.
    pub(super) fn writes(&self) -> u64 {
        self.state.lock().writes
    }

    /// Reads every row of partitions that begin so.
    pub(super) fn each<T>(&self, pk: &str, read: impl Fn(&Row) -> Option<T>) -> Vec<T> {
        let state = self.state.lock();
        let from = Key::new(pk, "");
        let rows = state.rows.range(from..).take_while(|(key, _)| key.pk.starts_with(pk));
        rows.filter_map(|(_, row)| read(row)).collect()
    }

    /// Reads every row of partitions that begin so and whose keys are wanted.
    pub(super) fn read<T>(
        &self,
        pk: &str,
        wanted: impl Fn(&Key) -> bool,
        read: &mut Readings<T>,
    ) -> Vec<Rc<T>>
    where
        T: DeserializeOwned,
    {
        let state = self.state.lock();
        let from = Key::new(pk, "");
        let rows = state.rows.range(from..).take_while(|(key, _)| key.pk.starts_with(pk));
        rows.filter(|(key, _)| wanted(key)).filter_map(|(_, row)| read.of(row)).collect()
    }

    /// Whether there is a row.
    pub(super) fn has(&self, key: &Key) -> bool {
        self.state.lock().rows.contains_key(key)
    }

    /// A call begins: others go on first, and it may be the one that fails.
    async fn call(&self, of: impl Hash) -> Result<bool, StorageError> {
        let mut waited = !self.state.lock().races;
        poll_fn(|context| {
            if std::mem::replace(&mut waited, true) {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        let mut state = self.state.lock();
        of.hash(&mut state.trace);
        match &mut state.failure {
            Some(Failure { after: 0, done }) => {
                let done = *done;
                state.failure = None;
                if done { Ok(true) } else { Err(died()) }
            }
            Some(failure) => {
                failure.after -= 1;
                Ok(false)
            }
            None => Ok(false),
        }
    }
}

/// What rows said when they were read last: after a step, most of them say the same.
pub(super) struct Readings<T>(HashMap<Key, (Arc<str>, Option<Rc<T>>)>);

impl<T> Default for Readings<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: DeserializeOwned> Readings<T> {
    fn of(&mut self, row: &Row) -> Option<Rc<T>> {
        if let Some((doc, said)) = self.0.get(&row.key)
            && *doc == row.doc
        {
            return said.clone();
        }
        let said = row.read().ok().map(Rc::new);
        self.0.insert(row.key.clone(), (row.doc.clone(), said.clone()));
        said
    }
}

/// The operations of a commit, by what they write.
struct Written<'a>(&'a [Op]);

impl Hash for Written<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        for op in self.0 {
            op.key.hash(state);
            if let OpKind::Put { doc, .. } = &op.kind {
                doc.hash(state);
            }
        }
    }
}

fn died() -> StorageError {
    StorageError::Unavailable("the process died here".into())
}

impl State {
    fn holds(&self, op: &Op) -> bool {
        let row = self.rows.get(&op.key);
        match op.condition {
            Condition::Absent => row.is_none(),
            Condition::Present => row.is_some(),
            Condition::Version(version) => row.is_some_and(|row| row.version == version),
            Condition::None => true,
        }
    }

    fn apply(&mut self, op: &Op) {
        let version = self.rows.get(&op.key).map_or(1, |row| row.version + 1);
        match &op.kind {
            OpKind::Check => {}
            OpKind::Delete => {
                self.rows.remove(&op.key);
            }
            OpKind::Put { step, doc, ttl } => {
                let version = version - 1 + step;
                let counters = self.rows.get(&op.key).map(|row| row.counters.clone()).unwrap_or_default();
                let row = Row { key: op.key.clone(), version, doc: doc.as_str().into(), counters, ttl: *ttl };
                self.rows.insert(op.key.clone(), row);
            }
            OpKind::Add { field, amount } => {
                self.add(&op.key, field, *amount);
            }
        }
    }

    fn add(&mut self, key: &Key, field: &str, amount: i64) -> i64 {
        let row = self.rows.entry(key.clone()).or_insert_with(|| Row {
            key: key.clone(),
            version: 0,
            doc: "null".into(),
            counters: BTreeMap::new(),
            ttl: None,
        });
        row.version += 1;
        self.writes += 1;
        let counter = row.counters.entry(field.to_owned()).or_default();
        *counter += amount;
        *counter
    }

    fn commit(&mut self, ops: &[Op], token: Option<&String>) -> Result<(), StorageError> {
        if token.is_some_and(|token| self.tokens.contains(token)) {
            return Ok(());
        }
        if let Some(op) = ops.iter().position(|op| !self.holds(op)) {
            let current = self.rows.get(&ops[op].key).cloned().map(Box::new);
            return Err(StorageError::Conflict { op, current });
        }
        ops.iter().for_each(|op| self.apply(op));
        self.writes += 1;
        self.tokens.extend(token.cloned());
        Ok(())
    }
}

#[async_trait::async_trait]
impl Table for Memory {
    async fn get(&self, key: &Key) -> Result<Option<Row>, StorageError> {
        self.call(key).await?;
        Ok(self.state.lock().rows.get(key).cloned())
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Row>>, StorageError> {
        self.call(keys).await?;
        let state = self.state.lock();
        Ok(keys.iter().map(|key| state.rows.get(key).cloned()).collect())
    }

    async fn query(&self, query: &Query) -> Result<RowPage, StorageError> {
        self.call(&query.pk).await?;
        let admits = |sk: &str| match &query.range {
            Range::All => true,
            Range::Prefix(prefix) => sk.starts_with(prefix),
            Range::Between(first, last) => first.as_str() <= sk && sk <= last.as_str(),
            Range::After(last) => last.as_str() < sk,
        };
        let behind = |sk: &str| match (&query.cursor, query.order) {
            (None, _) => true,
            (Some(Cursor(seen)), Order::Ascending) => sk > seen.as_str(),
            (Some(Cursor(seen)), Order::Descending) => sk < seen.as_str(),
        };
        let state = self.state.lock();
        let from = Key::new(query.pk.clone(), "");
        let rows = state.rows.range(from..).take_while(|(key, _)| key.pk == query.pk);
        let mut rows: Vec<Row> =
            rows.filter(|(key, _)| admits(&key.sk) && behind(&key.sk)).map(|(_, row)| row.clone()).collect();
        if query.order == Order::Descending {
            rows.reverse();
        }
        let more = rows.len() > query.limit;
        rows.truncate(query.limit);
        let cursor = rows.last().filter(|_| more).map(|row| Cursor(row.key.sk.clone()));
        Ok(RowPage { rows, cursor })
    }

    async fn commit(&self, commit: &Commit) -> Result<(), StorageError> {
        let dies = self.call(Written(&commit.ops)).await?;
        let ops = match self.mutation {
            Some(mutation) => mutation.applied(commit.ops.clone()),
            None => commit.ops.clone(),
        };
        self.state.lock().commit(&ops, commit.token.as_ref())?;
        if dies { Err(died()) } else { Ok(()) }
    }

    async fn increment(
        &self,
        key: &Key,
        field: &str,
        amount: i64,
        ttl: Option<i64>,
    ) -> Result<i64, StorageError> {
        self.call((key, field, amount)).await?;
        let mut state = self.state.lock();
        let value = state.add(key, field, amount);
        if let Some(row) = state.rows.get_mut(key) {
            row.ttl = ttl.or(row.ttl);
        }
        Ok(value)
    }

    async fn scan(&self, limit: usize, after: Option<&Cursor>) -> Result<RowPage, StorageError> {
        let seen = after.map(Cursor::row).transpose()?;
        let state = self.state.lock();
        let rows = state.rows.iter().filter(|(key, _)| seen.as_ref().is_none_or(|seen| *key > seen));
        let mut rows: Vec<Row> = rows.take(limit + 1).map(|(_, row)| row.clone()).collect();
        let more = rows.len() > limit;
        rows.truncate(limit);
        let cursor = rows.last().filter(|_| more).map(|row| Cursor::behind(&row.key));
        Ok(RowPage { rows, cursor })
    }
}

/// Messages, each visible from a time; one that was received comes again until it is acknowledged.
pub(super) struct Messages {
    clock: Arc<TestClock>,
    sent: Mutex<Vec<Sent>>,
    /// Messages that were acknowledged so far.
    done: AtomicU64,
}

struct Sent {
    body: String,
    visible_at: Timestamp,
    attempts: u32,
    receipt: u64,
}

/// After which time a message comes again.
const COMES_AGAIN: SignedDuration = SignedDuration::from_secs(60);

impl Messages {
    /// No messages.
    pub(super) const fn new(clock: Arc<TestClock>) -> Self {
        Self { clock, sent: Mutex::new(Vec::new()), done: AtomicU64::new(0) }
    }

    /// Whether a message that contains this text waits.
    pub(super) fn holds(&self, text: &str) -> bool {
        self.sent.lock().iter().any(|message| message.body.contains(text))
    }

    /// How many messages were acknowledged.
    pub(super) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Whether nothing waits, not even for later.
    pub(super) fn is_empty(&self) -> bool {
        self.sent.lock().is_empty()
    }
}

#[async_trait::async_trait]
impl Queue for Messages {
    async fn send(&self, body: &str, delay: Duration) -> Result<(), StorageError> {
        let mut sent = self.sent.lock();
        let receipt = sent.iter().map(|message| message.receipt).max().unwrap_or(0) + 1;
        let delay = SignedDuration::try_from(delay).unwrap_or(SignedDuration::ZERO);
        sent.push(Sent { body: body.to_owned(), visible_at: self.clock.now() + delay, attempts: 0, receipt });
        Ok(())
    }

    async fn receive(&self, max: usize, _wait: Duration) -> Result<Vec<Message>, StorageError> {
        let now = self.clock.now();
        let mut sent = self.sent.lock();
        let due = sent.iter_mut().filter(|message| message.visible_at <= now).take(max);
        Ok(due
            .map(|message| {
                message.visible_at = now + COMES_AGAIN;
                message.attempts += 1;
                let Sent { body, attempts, receipt, .. } = message;
                Message { receipt: receipt.to_string(), body: body.clone(), attempts: *attempts }
            })
            .collect())
    }

    async fn hide(&self, receipt: &str, time: Duration) -> Result<(), StorageError> {
        let visible_at = self.clock.now() + SignedDuration::try_from(time).unwrap_or(SignedDuration::ZERO);
        let mut sent = self.sent.lock();
        let held = sent.iter_mut().filter(|message| message.receipt.to_string() == receipt);
        held.for_each(|message| message.visible_at = visible_at);
        Ok(())
    }

    async fn ack(&self, receipt: &str) -> Result<(), StorageError> {
        self.sent.lock().retain(|message| message.receipt.to_string() != receipt);
        self.done.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

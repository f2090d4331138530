//! What requests cost on DynamoDB: a table that counts calls, and the units of each by the rules of DynamoDB
//! from the sizes that rows have there as items.
//!
//! One call of the port is one request of the adapter; the conformance suite proves that of the adapter. Reads that are
//! asked for at the same time are answered at the same time, as by an engine that takes as long for each: so it is known
//! how often a request waits, on a machine that does nothing else.

use std::fmt;
use std::future::Future;
use std::ops::{AddAssign, Sub};
use std::sync::Arc;

use parking_lot::Mutex;
use svc_storage::{Commit, Condition, Cursor, Key, Op, OpKind, Query, Row, RowPage, StorageError, Table};
use tokio::sync::Notify;

/// Bytes of a read unit, strongly consistent.
const READ: usize = 4_096;
/// Bytes of a write unit.
const WRITE: usize = 1_024;

/// What calls cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Calls, each of which waits for the engine.
    pub round_trips: usize,
    /// How often it was waited: calls at the same time are one.
    pub waits: usize,
    /// Units of strongly consistent reads, 4 KB each.
    pub read_units: usize,
    /// Units of writes, 1 KB each.
    pub write_units: usize,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.round_trips += other.round_trips;
        self.waits += other.waits;
        self.read_units += other.read_units;
        self.write_units += other.write_units;
    }
}

impl Sub for Cost {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            round_trips: self.round_trips - other.round_trips,
            waits: self.waits - other.waits,
            read_units: self.read_units - other.read_units,
            write_units: self.write_units - other.write_units,
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { round_trips, read_units, write_units, .. } = self;
        write!(f, "{round_trips} round trips, {read_units} read units, {write_units} write units")
    }
}

/// A table that knows what it was asked.
pub struct Metered {
    table: Arc<dyn Table>,
    spent: Mutex<Cost>,
    /// Reads that are being answered.
    reading: Mutex<usize>,
    answered: Notify,
}

/// How often a read lets others begin before it goes on.
const TURNS: usize = 32;

impl Metered {
    /// Meters a table.
    pub fn new(table: Arc<dyn Table>) -> Self {
        Self { table, spent: Mutex::default(), reading: Mutex::default(), answered: Notify::new() }
    }

    /// What was spent so far.
    pub fn spent(&self) -> Cost {
        *self.spent.lock()
    }

    fn spend_reading(&self, read_units: usize) {
        self.pay(Cost { round_trips: 1, read_units, ..Cost::default() });
    }

    fn spend(&self, read_units: usize, write_units: usize) {
        self.pay(Cost { round_trips: 1, waits: 1, read_units, write_units });
    }

    /// What a task of its own does in the background belongs to no request.
    fn pay(&self, cost: Cost) {
        if tokio::task::try_id().is_none() {
            *self.spent.lock() += cost;
        }
    }

    /// Answers a read when all are answered that were asked for at the same time.
    async fn together<T>(&self, read: impl Future<Output = T>) -> T {
        if tokio::task::try_id().is_some() {
            return read.await;
        }
        let others = async || {
            for _ in 0..TURNS {
                tokio::task::yield_now().await;
            }
        };
        others().await;
        {
            let mut reading = self.reading.lock();
            if *reading == 0 {
                self.pay(Cost { waits: 1, ..Cost::default() });
            }
            *reading += 1;
        }
        others().await;
        let answer = read.await;
        let all = self.answered.notified();
        let left = {
            let mut reading = self.reading.lock();
            *reading -= 1;
            *reading
        };
        if left == 0 {
            self.answered.notify_waiters();
        } else {
            all.await;
        }
        answer
    }

    /// Bytes of the row that a key names; 0 without one.
    async fn size(&self, key: &Key) -> Result<usize, StorageError> {
        Ok(self.table.get(key).await?.as_ref().map_or(0, size_of_row))
    }

    /// Units of one operation, outside a transaction.
    async fn units(&self, op: &Op) -> Result<(usize, usize), StorageError> {
        let before = self.size(&op.key).await?;
        let after = match &op.kind {
            OpKind::Check => return Ok((units(before, READ), 0)),
            OpKind::Delete => 0,
            OpKind::Put { doc, .. } => size_of_key(&op.key) + NUMBER + "doc".len() + doc.len(),
            OpKind::Add { .. } => before.max(size_of_key(&op.key) + NUMBER) + NUMBER,
        };
        Ok((0, units(before.max(after), WRITE)))
    }
}

/// Bytes of a number of ours with its name, about.
const NUMBER: usize = 8;

fn size_of_key(key: &Key) -> usize {
    "pk".len() + key.pk.len() + "sk".len() + key.sk.len()
}

fn size_of_row(row: &Row) -> usize {
    let counters: usize = row.counters.keys().map(|name| "c_".len() + name.len() + NUMBER).sum();
    let ttl = row.ttl.map_or(0, |_| "ttl".len() + NUMBER);
    size_of_key(&row.key) + NUMBER + "doc".len() + row.doc.len() + counters + ttl
}

/// Whole units, and one at least.
fn units(bytes: usize, unit: usize) -> usize {
    bytes.div_ceil(unit).max(1)
}

#[async_trait::async_trait]
impl Table for Metered {
    async fn get(&self, key: &Key) -> Result<Option<Row>, StorageError> {
        let row = self.together(self.table.get(key)).await?;
        self.spend_reading(units(row.as_ref().map_or(0, size_of_row), READ));
        Ok(row)
    }

    /// Each row by itself is rounded up. Who asks for none waits for nothing.
    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Row>>, StorageError> {
        if keys.is_empty() {
            return self.table.get_many(keys).await;
        }
        let rows = self.together(self.table.get_many(keys)).await?;
        self.spend_reading(rows.iter().map(|row| units(row.as_ref().map_or(0, size_of_row), READ)).sum());
        Ok(rows)
    }

    /// All rows together are rounded up.
    async fn query(&self, query: &Query) -> Result<RowPage, StorageError> {
        let page = self.together(self.table.query(query)).await?;
        self.spend_reading(units(page.rows.iter().map(size_of_row).sum(), READ));
        Ok(page)
    }

    /// A transaction costs twice what its operations cost alone.
    async fn commit(&self, commit: &Commit) -> Result<(), StorageError> {
        let asked = |op: &&Op| op.kind != OpKind::Check || op.condition != Condition::None;
        let ops: Vec<&Op> = commit.ops.iter().filter(asked).collect();
        let (mut reads, mut writes) = (0, 0);
        for op in &ops {
            let (read, write) = self.units(op).await?;
            reads += read;
            writes += write;
        }
        let times = if ops.len() > 1 { 2 } else { 1 };
        self.spend(reads * times, writes * times);
        self.table.commit(commit).await
    }

    async fn increment(
        &self,
        key: &Key,
        field: &str,
        amount: i64,
        ttl: Option<i64>,
    ) -> Result<i64, StorageError> {
        self.spend(0, units(self.size(key).await?, WRITE));
        self.table.increment(key, field, amount, ttl).await
    }

    async fn scan(&self, limit: usize, after: Option<&Cursor>) -> Result<RowPage, StorageError> {
        let page = self.table.scan(limit, after).await?;
        self.spend(units(page.rows.iter().map(size_of_row).sum(), READ), 0);
        Ok(page)
    }
}

//! A table that holds one commit on its way, so that a test does something else in that very moment.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use svc_storage::{Commit, Cursor, Key, Query, Row, RowPage, StorageError, Table};
use tokio::sync::oneshot;

/// Longer than any commit is on its way.
const PATIENCE: Duration = Duration::from_secs(30);

/// A table whose commits can be held.
pub struct Gate {
    table: Arc<dyn Table>,
    closed: Mutex<Option<Closed>>,
}

/// What is held, and who waits for it.
struct Closed {
    concerning: Key,
    arrived: oneshot::Sender<()>,
    opened: oneshot::Receiver<()>,
    through: oneshot::Sender<()>,
}

impl Gate {
    /// A gate before a table.
    pub fn new(table: Arc<dyn Table>) -> Self {
        Self { table, closed: Mutex::default() }
    }

    /// Asks, and does something else while the first commit that concerns a row is held; answers both results
    /// when that commit is through too, also where who asked did not wait for it.
    ///
    /// # Panics
    /// When no such commit comes.
    pub async fn meanwhile<A, B>(
        &self,
        concerning: impl Into<Key>,
        asked: impl Future<Output = A>,
        done: impl Future<Output = B>,
    ) -> (A, B) {
        let (arrived, arrives) = oneshot::channel();
        let (open, opened) = oneshot::channel();
        let (through, is_through) = oneshot::channel();
        let concerning = concerning.into();
        *self.closed.lock() = Some(Closed { concerning, arrived, opened, through });
        let done = async {
            let came = tokio::time::timeout(PATIENCE, arrives).await;
            came.expect("the commit comes in time").expect("the gate stays");
            let done = done.await;
            open.send(()).expect("the commit waits");
            is_through.await.expect("the commit ends");
            done
        };
        tokio::join!(asked, done)
    }

    /// The holder of this commit, if it is to be held.
    fn closed_for(&self, commit: &Commit) -> Option<Closed> {
        let mut closed = self.closed.lock();
        closed.take_if(|closed| commit.ops.iter().any(|op| op.key == closed.concerning))
    }
}

#[async_trait::async_trait]
impl Table for Gate {
    async fn get(&self, key: &Key) -> Result<Option<Row>, StorageError> {
        self.table.get(key).await
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Row>>, StorageError> {
        self.table.get_many(keys).await
    }

    async fn query(&self, query: &Query) -> Result<RowPage, StorageError> {
        self.table.query(query).await
    }

    async fn scan(&self, limit: usize, after: Option<&Cursor>) -> Result<RowPage, StorageError> {
        self.table.scan(limit, after).await
    }

    async fn commit(&self, commit: &Commit) -> Result<(), StorageError> {
        let Some(Closed { arrived, opened, through, .. }) = self.closed_for(commit) else {
            return self.table.commit(commit).await;
        };
        arrived.send(()).expect("the test waits");
        opened.await.expect("the test opens");
        let result = self.table.commit(commit).await;
        through.send(()).expect("the test waits");
        result
    }

    async fn increment(&self, key: &Key, field: &str, n: i64, ttl: Option<i64>) -> Result<i64, StorageError> {
        self.table.increment(key, field, n, ttl).await
    }
}

//! Engines that fail at random: before they do something, or after they did it and before they said so.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use parking_lot::Mutex;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use svc_storage::{
    BlobInfo, BlobKey, BlobRead, Blobs, ByteStream, Commit, Cursor, Key, Message, PresignedPut, Query, Queue,
    Retention, Row, RowPage, ServedAs, StorageError, Table,
};

/// When engines fail.
pub(crate) struct Faults {
    on: AtomicBool,
    random: Mutex<StdRng>,
}

impl Faults {
    pub(crate) fn new(seed: u64) -> Arc<Self> {
        Arc::new(Self { on: AtomicBool::new(false), random: Mutex::new(StdRng::seed_from_u64(seed)) })
    }

    pub(crate) fn switch(&self, on: bool) {
        self.on.store(on, Ordering::SeqCst);
    }

    /// Fails in so many of a hundred cases.
    fn maybe(&self, percent: u32) -> Result<(), StorageError> {
        if self.on.load(Ordering::SeqCst) && self.random.lock().random_range(0..100) < percent {
            return Err(StorageError::Unavailable("it fails at random".into()));
        }
        Ok(())
    }
}

/// A table, blobs or a queue that fail.
pub(crate) struct Flaky<T: ?Sized> {
    pub(crate) engine: Arc<T>,
    pub(crate) faults: Arc<Faults>,
}

#[async_trait::async_trait]
impl Table for Flaky<dyn Table> {
    async fn get(&self, key: &Key) -> Result<Option<Row>, StorageError> {
        self.engine.get(key).await
    }

    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Row>>, StorageError> {
        self.faults.maybe(1)?;
        self.engine.get_many(keys).await
    }

    async fn query(&self, query: &Query) -> Result<RowPage, StorageError> {
        self.faults.maybe(1)?;
        self.engine.query(query).await
    }

    async fn scan(&self, limit: usize, after: Option<&Cursor>) -> Result<RowPage, StorageError> {
        self.engine.scan(limit, after).await
    }

    async fn commit(&self, commit: &Commit) -> Result<(), StorageError> {
        self.faults.maybe(5)?;
        self.engine.commit(commit).await?;
        self.faults.maybe(5)
    }

    async fn increment(&self, key: &Key, field: &str, n: i64, ttl: Option<i64>) -> Result<i64, StorageError> {
        let value = self.engine.increment(key, field, n, ttl).await?;
        self.faults.maybe(2)?;
        Ok(value)
    }
}

#[async_trait::async_trait]
impl Queue for Flaky<dyn Queue> {
    async fn send(&self, body: &str, delay: Duration) -> Result<(), StorageError> {
        self.faults.maybe(20)?;
        self.engine.send(body, delay).await?;
        self.faults.maybe(10)
    }

    async fn receive(&self, max: usize, wait: Duration) -> Result<Vec<Message>, StorageError> {
        self.engine.receive(max, wait).await
    }

    async fn hide(&self, receipt: &str, time: Duration) -> Result<(), StorageError> {
        self.faults.maybe(10)?;
        self.engine.hide(receipt, time).await
    }

    async fn ack(&self, receipt: &str) -> Result<(), StorageError> {
        self.faults.maybe(10)?;
        self.engine.ack(receipt).await
    }
}

#[async_trait::async_trait]
impl Blobs for Flaky<dyn Blobs> {
    async fn put_once(&self, key: &BlobKey, bytes: Bytes) -> Result<(), StorageError> {
        self.faults.maybe(5)?;
        self.engine.put_once(key, bytes).await?;
        self.faults.maybe(5)
    }

    async fn put_stream(&self, key: &BlobKey, bytes: ByteStream) -> Result<u64, StorageError> {
        self.faults.maybe(5)?;
        let size = self.engine.put_stream(key, bytes).await?;
        self.faults.maybe(5)?;
        Ok(size)
    }

    async fn get(&self, key: &BlobKey) -> Result<Bytes, StorageError> {
        self.engine.get(key).await
    }

    async fn read(&self, key: &BlobKey, part: Option<Range<u64>>) -> Result<BlobRead, StorageError> {
        self.faults.maybe(5)?;
        self.engine.read(key, part).await
    }

    async fn list(
        &self,
        retention: Retention,
        prefix: &str,
        after: Option<&BlobKey>,
    ) -> Result<Vec<BlobInfo>, StorageError> {
        self.engine.list(retention, prefix, after).await
    }

    async fn delete(&self, key: &BlobKey) -> Result<(), StorageError> {
        self.faults.maybe(10)?;
        self.engine.delete(key).await
    }

    async fn presign_get(
        &self,
        key: &BlobKey,
        served: &ServedAs,
        valid: Duration,
    ) -> Result<Option<String>, StorageError> {
        self.engine.presign_get(key, served, valid).await
    }

    async fn presign_put(
        &self,
        key: &BlobKey,
        size: u64,
        valid: Duration,
    ) -> Result<Option<PresignedPut>, StorageError> {
        self.engine.presign_put(key, size, valid).await
    }
}

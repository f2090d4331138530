//! A table that takes no writes while its disk is full, and reads as ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use svc_storage::{Commit, Cursor, Key, Query, Row, RowPage, StorageError, Table};

/// A table on a disk that can be filled.
pub struct FullDisk {
    table: Arc<dyn Table>,
    full: AtomicBool,
}

impl FullDisk {
    /// A table that takes writes until it is filled.
    pub fn new(table: Arc<dyn Table>) -> Self {
        Self { table, full: AtomicBool::new(false) }
    }

    /// Fills the disk, or makes room.
    pub fn fill(&self, full: bool) {
        self.full.store(full, Ordering::SeqCst);
    }

    fn room(&self) -> Result<(), StorageError> {
        if self.full.load(Ordering::SeqCst) { Err(StorageError::Full) } else { Ok(()) }
    }
}

#[async_trait::async_trait]
impl Table for FullDisk {
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
        self.room()?;
        self.table.commit(commit).await
    }

    async fn increment(
        &self,
        key: &Key,
        field: &str,
        amount: i64,
        ttl: Option<i64>,
    ) -> Result<i64, StorageError> {
        self.room()?;
        self.table.increment(key, field, amount, ttl).await
    }
}

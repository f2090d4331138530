//! The table port: versioned JSON rows under a partition and a sort key, read strongly consistently and
//! changed only by atomic conditional commits.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::StorageError;

/// Name of a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// Partition: what is read together.
    pub pk: String,
    /// Place in the partition; rows of a partition are ordered by its bytes.
    pub sk: String,
}

impl Key {
    /// A key of these two parts. Neither may be empty.
    pub fn new(pk: impl Into<String>, sk: impl Into<String>) -> Self {
        Self { pk: pk.into(), sk: sk.into() }
    }
}

/// A stored row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name.
    pub key: Key,
    /// 1 when created; one more after every put and every add.
    pub version: u64,
    /// The document: JSON text, `null` for a row that only counts. Copies of a row share it.
    pub doc: Arc<str>,
    /// Counters kept beside the document by [`OpKind::Add`]; a put leaves them as they are.
    pub counters: BTreeMap<String, i64>,
    /// Second of the Unix epoch after which the row may vanish. A reader treats an expired row as its use
    /// demands: engines remove such rows late.
    pub ttl: Option<i64>,
}

impl Row {
    /// The document as a value.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] when it does not read as `T`.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, StorageError> {
        serde_json::from_str(&self.doc)
            .map_err(|error| StorageError::Corrupt(format!("{}/{}: {error}", self.key.pk, self.key.sk)))
    }

    /// A counter of the row; 0 when it was never added to.
    pub fn counter(&self, field: &str) -> i64 {
        self.counters.get(field).copied().unwrap_or(0)
    }

    /// Puts a document in the place of this one, if the row is still as it was read.
    pub fn replaced_by<T: Serialize>(&self, doc: &T) -> Op {
        Op::replace(self.key.clone(), self.version, doc)
    }

    /// Deletes the row, if it is still as it was read.
    pub fn deleted(&self) -> Op {
        Op::delete(self.key.clone(), Condition::Version(self.version))
    }

    /// Demands that the row is still as it was read.
    pub fn unchanged(&self) -> Op {
        Op::check(self.key.clone(), Condition::Version(self.version))
    }
}

/// What must hold of a row before a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It does not exist.
    Absent,
    /// It exists.
    Present,
    /// It exists in this version.
    Version(u64),
    /// Anything.
    None,
}

/// What a commit does to a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpKind {
    /// Nothing: only the condition counts.
    Check,
    /// Sets document and `ttl`, leaves counters, and raises the version.
    Put {
        /// By how much the version is raised, at least 1: a row that is made begins at this version.
        step: u64,
        /// JSON text.
        doc: String,
        /// Second of the Unix epoch after which the row may vanish.
        ttl: Option<i64>,
    },
    /// Removes the row; no error when it does not exist and the condition permits.
    Delete,
    /// Adds to a counter, creating row and counter where they do not exist, and raises the version.
    Add {
        /// Name of the counter: letters, digits and `_`.
        field: String,
        /// May be negative.
        amount: i64,
    },
}

/// One operation of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// The row.
    pub key: Key,
    /// What must hold of it.
    pub condition: Condition,
    /// What is done to it.
    pub kind: OpKind,
}

impl Op {
    /// Demands something of a row without changing it.
    pub fn check(key: impl Into<Key>, condition: Condition) -> Self {
        Self { key: key.into(), condition, kind: OpKind::Check }
    }

    /// Writes a document.
    ///
    /// # Panics
    /// When `doc` cannot be written as JSON, which no type of ours does.
    pub fn put<T: Serialize>(key: impl Into<Key>, condition: Condition, doc: &T) -> Self {
        let doc = serde_json::to_string(doc).expect("rows are plain data with text keys");
        Self { key: key.into(), condition, kind: OpKind::Put { step: 1, doc, ttl: None } }
    }

    /// Writes a document where none is.
    pub fn create<T: Serialize>(key: impl Into<Key>, doc: &T) -> Self {
        Self::put(key, Condition::Absent, doc)
    }

    /// Writes a document where none is, at this version: that of a row which moves here goes on, so that nobody
    /// who has read it earlier takes it for the one that they know.
    #[must_use]
    pub fn create_at<T: Serialize>(key: impl Into<Key>, version: u64, doc: &T) -> Self {
        Self::create(key, doc).raising(version.max(1))
    }

    /// The same put, which raises the version by this.
    #[must_use]
    fn raising(mut self, by: u64) -> Self {
        if let OpKind::Put { step, .. } = &mut self.kind {
            *step = by;
        }
        self
    }

    /// Replaces a document that was read in this version.
    pub fn replace<T: Serialize>(key: impl Into<Key>, version: u64, doc: &T) -> Self {
        Self::put(key, Condition::Version(version), doc)
    }

    /// The same put, of a row that may vanish after this second of the Unix epoch.
    #[must_use]
    pub fn expiring(mut self, at: i64) -> Self {
        if let OpKind::Put { ttl, .. } = &mut self.kind {
            *ttl = Some(at);
        }
        self
    }

    /// Removes a row.
    pub fn delete(key: impl Into<Key>, condition: Condition) -> Self {
        Self { key: key.into(), condition, kind: OpKind::Delete }
    }

    /// Adds to a counter of a row.
    pub fn add(key: impl Into<Key>, field: &str, amount: i64) -> Self {
        Self {
            key: key.into(),
            condition: Condition::None,
            kind: OpKind::Add { field: field.to_owned(), amount },
        }
    }
}

/// Changes that happen together or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// 1 to [`Limits::OPS`](crate::Limits::OPS) operations on different rows; a commit of none does nothing.
    pub ops: Vec<Op>,
    /// Makes repeating the commit harmless: with the same token and operations it succeeds once, whatever
    /// became of the first reply. With other operations it is another commit. Remembered for at least 10
    /// minutes (storage-aws says where it remembers less of a commit of one operation).
    pub token: Option<String>,
}

/// Sort keys that a query reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Range {
    /// All.
    All,
    /// Those that begin with this.
    Prefix(String),
    /// Those from the first to the second, both included.
    Between(String, String),
    /// Those greater than this.
    After(String),
}

/// Order of the rows of a query, by the bytes of their sort keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Smallest first.
    #[default]
    Ascending,
    /// Greatest first.
    Descending,
}

/// Where the next page of a query begins: pass it back unchanged with the same query.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cursor(pub String);

impl Cursor {
    /// The cursor of a scan that goes on behind a row.
    pub fn behind(key: &Key) -> Self {
        Self(format!("{}:{}{}", key.pk.len(), key.pk, key.sk))
    }

    /// The row that the cursor of a scan goes on behind.
    ///
    /// # Errors
    /// [`StorageError::Corrupt`] for what no scan answered.
    pub fn row(&self) -> Result<Key, StorageError> {
        let parts = || {
            let (length, rest) = self.0.split_once(':')?;
            let (pk, sk) = rest.split_at_checked(length.parse().ok()?)?;
            Some(Key::new(pk, sk))
        };
        parts().ok_or_else(|| StorageError::Corrupt("this is not the cursor of a scan".into()))
    }
}

/// A read of one partition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Query {
    /// The partition.
    pub pk: String,
    /// Sort keys to read.
    pub range: Range,
    /// Order.
    pub order: Order,
    /// Rows on a page at most, 1 or more. A page also ends at about 1 MB, so that a page may be short
    /// although more remains: only a missing cursor means the end.
    pub limit: usize,
    /// Where to go on.
    pub cursor: Option<Cursor>,
}

impl Query {
    /// The first `limit` rows of a range, smallest first.
    pub fn new(pk: impl Into<String>, range: Range, limit: usize) -> Self {
        Self { pk: pk.into(), range, order: Order::Ascending, limit, cursor: None }
    }

    /// The same, greatest first.
    #[must_use]
    pub const fn descending(mut self) -> Self {
        self.order = Order::Descending;
        self
    }

    /// The same, going on where a page ended.
    #[must_use]
    pub fn resume(mut self, cursor: Option<Cursor>) -> Self {
        self.cursor = cursor;
        self
    }
}

/// Rows of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowPage {
    /// The rows.
    pub rows: Vec<Row>,
    /// Where the next page begins; `None` at the end.
    pub cursor: Option<Cursor>,
}

/// Versioned rows. All reads are strongly consistent.
#[async_trait::async_trait]
pub trait Table: Send + Sync + 'static {
    /// One row.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`], [`StorageError::Corrupt`].
    async fn get(&self, key: &Key) -> Result<Option<Row>, StorageError>;

    /// Up to [`Limits::KEYS`](crate::Limits::KEYS) rows, in the order of `keys`, each as it was at some moment of the call.
    ///
    /// # Errors
    /// As [`Table::get`]; [`StorageError::TooLarge`] for more keys.
    async fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Row>>, StorageError>;

    /// A page of the rows of one partition.
    ///
    /// # Errors
    /// As [`Table::get`].
    async fn query(&self, query: &Query) -> Result<RowPage, StorageError>;

    /// Does all operations, or none of them. Durable when it returns.
    ///
    /// # Errors
    /// [`StorageError::Conflict`] names the first operation whose condition failed;
    /// [`StorageError::Contention`], [`StorageError::TooLarge`], [`StorageError::Unavailable`].
    ///
    /// # Panics
    /// As [`Commit::check_limits`].
    async fn commit(&self, commit: &Commit) -> Result<(), StorageError>;

    /// Adds to a counter of a row, creating both where they do not exist, and returns its new value. With
    /// `ttl` (a second of the Unix epoch) the row may vanish after that moment. Not idempotent: a repeated
    /// call counts twice.
    ///
    /// # Errors
    /// As [`Table::commit`], without conflicts.
    async fn increment(
        &self,
        key: &Key,
        field: &str,
        amount: i64,
        ttl: Option<i64>,
    ) -> Result<i64, StorageError>;

    /// A page of all rows there are, in an order of the engine's own, `limit` at most; as with a query, only a
    /// missing cursor means the end. A row that is there from the first page to the last comes exactly once;
    /// one that comes or goes meanwhile may be left out. For who looks after a whole store; no request is
    /// answered from it.
    ///
    /// # Errors
    /// As [`Table::get`].
    async fn scan(&self, limit: usize, after: Option<&Cursor>) -> Result<RowPage, StorageError>;

    /// The same number as long as no other process has had the rows open to write, so that all commits were made through
    /// this table or its clones; `None` where another has, or where that is not known.
    fn alone(&self) -> Option<u64> {
        None
    }

    /// Whether what the rows are kept in is still what was opened; for who asks how the service is.
    ///
    /// # Errors
    /// [`StorageError::Unusable`] where it is gone, or something else is in its place.
    async fn probe(&self) -> Result<(), StorageError> {
        Ok(())
    }

    /// All rows of a range, page after page.
    ///
    /// # Errors
    /// As [`Table::query`].
    async fn query_all(&self, query: Query) -> Result<Vec<Row>, StorageError> {
        let mut query = query;
        let mut rows = Vec::new();
        loop {
            let page = self.query(&query).await?;
            rows.extend(page.rows);
            match page.cursor {
                Some(cursor) => query.cursor = Some(cursor),
                None => return Ok(rows),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cursor, Key};

    #[test]
    fn the_cursor_of_a_scan_names_its_row_whatever_its_name() {
        for key in [Key::new("p", "s"), Key::new("3:a#ü", "1:2"), Key::new("🦀", ":")] {
            assert_eq!(Cursor::behind(&key).row().unwrap(), key);
        }
        for nothing in ["", "5", "9:ab", "x:ab", "1:🦀"] {
            assert!(Cursor(nothing.into()).row().is_err(), "{nothing:?}");
        }
    }
}

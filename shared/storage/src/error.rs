//! What can go wrong with a port: a closed set that callers decide by, never by a text.

use crate::Row;

/// An error of a storage port.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// Nothing is stored under the name.
    #[error("nothing is stored under {0}")]
    NotFound(String),
    /// A condition of a commit did not hold; nothing of the commit was written.
    #[error("the condition of operation {op} did not hold")]
    Conflict {
        /// Index of the first operation whose condition failed.
        op: usize,
        /// The row as it is now, where it exists.
        current: Option<Box<Row>>,
    },
    /// Another party is changing the same rows at this moment; nothing was written, and trying again may
    /// work.
    #[error("another transaction holds the row")]
    Contention,
    /// A blob exists already under the name.
    #[error("{0} exists already")]
    AlreadyExists(String),
    /// A limit of the port was exceeded; nothing was written.
    #[error("{what} is too large: {size} of at most {limit}")]
    TooLarge {
        /// What was too large: `row`, `commit`, `operations`, `message`, `key`.
        what: &'static str,
        /// Its size.
        size: usize,
        /// The limit.
        limit: usize,
    },
    /// The engine cannot be reached or did not answer; whether a write happened is unknown.
    #[error("the storage engine is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// There is no room left for what was to be written; nothing was written, and reading works.
    #[error("there is no room left to write")]
    Full,
    /// The bytes to write ended before they were complete; nothing was written.
    #[error("the bytes to write broke off")]
    Interrupted(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// What is there is not for this program to open, or is gone or replaced since; says why and what to do. Nothing was
    /// acknowledged.
    #[error("{0}")]
    Unusable(String),
    /// What is stored is not what was written.
    #[error("stored data is corrupt: {0}")]
    Corrupt(String),
}

//! The blob port: bytes under a name, written once.

use std::fmt;
use std::ops::Range;
use std::time::Duration;

use bytes::Bytes;
use futures::stream::BoxStream;

use crate::StorageError;

/// How long blobs of a kind are kept; the first part of their name, so that an engine's own lifecycle rules
/// can delete them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Retention {
    /// Chunks of run logs: some weeks.
    Log,
    /// Attachments: as long as what they belong to.
    Attachment,
    /// What runs leave to be looked at: as long as the run.
    Result,
    /// Snapshots that can be made again.
    Snapshot,
}

impl Retention {
    /// All of them, by their names' first parts.
    pub const ALL: [Self; 4] = [Self::Attachment, Self::Log, Self::Result, Self::Snapshot];

    /// The name's first part, with the slash.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Log => "log/",
            Self::Attachment => "attachment/",
            Self::Result => "result/",
            Self::Snapshot => "snapshot/",
        }
    }
}

/// Name of a blob: its retention class and a path of letters, digits, `.`, `_`, `-` and inner `/`. No blob is
/// named like a directory of another (`a` beside `a/b`): a file system could not keep both.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlobKey(String);

impl BlobKey {
    /// A name. `path` has no empty, `.` or `..` part.
    ///
    /// # Panics
    /// When the path is malformed: paths are made of ids and numbers, never of what a person typed.
    pub fn new(retention: Retention, path: &str) -> Self {
        let part = |part: &str| {
            !part.is_empty()
                && part != "."
                && part != ".."
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
        };
        assert!(path.split('/').all(part), "malformed blob path");
        Self(format!("{}{path}", retention.prefix()))
    }

    /// A name as an adapter listed it.
    pub fn from_listing(name: String) -> Self {
        Self(name)
    }

    /// The whole name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BlobKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A blob in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobInfo {
    /// Its name.
    pub key: BlobKey,
    /// Its size in bytes.
    pub size: u64,
    /// Second of the Unix epoch in which it was written.
    pub written_at: i64,
}

/// Bytes on their way, piece by piece. After an error nothing more comes.
pub type ByteStream = BoxStream<'static, Result<Bytes, Box<dyn std::error::Error + Send + Sync>>>;

/// A blob that is being read.
pub struct BlobRead {
    /// Size of the whole blob.
    pub size: u64,
    /// What was asked for of it.
    pub bytes: ByteStream,
}

/// What a presigned address answers as, whatever the blob was written as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedAs {
    /// `Content-Type`.
    pub content_type: String,
    /// `Content-Disposition`.
    pub disposition: String,
}

/// A request that writes a blob without a credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresignedPut {
    /// Where to `PUT` the bytes.
    pub url: String,
    /// Headers that the request must carry, names in lower case.
    pub headers: Vec<(String, String)>,
}

/// Bytes under a name.
#[async_trait::async_trait]
pub trait Blobs: Send + Sync + 'static {
    /// Writes a blob where none is. Durable when it returns.
    ///
    /// # Errors
    /// [`StorageError::AlreadyExists`] when there is one, [`StorageError::Unavailable`].
    async fn put_once(&self, key: &BlobKey, bytes: Bytes) -> Result<(), StorageError>;

    /// Writes a blob where none is, from a stream, holding a few pieces of it in memory at a time. Nothing is
    /// kept of a stream that fails. Answers the size; durable when it returns.
    ///
    /// # Errors
    /// As [`Blobs::put_once`]; [`StorageError::Interrupted`] when the stream fails.
    async fn put_stream(&self, key: &BlobKey, bytes: ByteStream) -> Result<u64, StorageError>;

    /// Reads a blob.
    ///
    /// # Errors
    /// [`StorageError::NotFound`], [`StorageError::Unavailable`].
    async fn get(&self, key: &BlobKey) -> Result<Bytes, StorageError>;

    /// Reads a blob, or a part of it that is not empty, piece by piece. A part ends at the end of the blob.
    ///
    /// # Errors
    /// [`StorageError::NotFound`] when there is no blob or the part begins behind its end,
    /// [`StorageError::Unavailable`].
    async fn read(&self, key: &BlobKey, part: Option<Range<u64>>) -> Result<BlobRead, StorageError>;

    /// Up to 1,000 blobs of a class whose path begins with `prefix`, ordered by name, after `after`.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    async fn list(
        &self,
        retention: Retention,
        prefix: &str,
        after: Option<&BlobKey>,
    ) -> Result<Vec<BlobInfo>, StorageError>;

    /// Whether what the blobs are kept in is there; for who asks how the service is.
    ///
    /// # Errors
    /// [`StorageError::Unusable`] where it is gone.
    async fn probe(&self) -> Result<(), StorageError> {
        Ok(())
    }

    /// Removes a blob; no error when there is none.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    async fn delete(&self, key: &BlobKey) -> Result<(), StorageError>;

    /// An address from which anyone may read the blob for a while, answered as `served`; `None` where the
    /// engine has none and the server hands the bytes out itself.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    async fn presign_get(
        &self,
        key: &BlobKey,
        served: &ServedAs,
        valid: Duration,
    ) -> Result<Option<String>, StorageError>;

    /// A request with which anyone may write the blob for a while: once, and with exactly `size` bytes; `None`
    /// as above.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`].
    async fn presign_put(
        &self,
        key: &BlobKey,
        size: u64,
        valid: Duration,
    ) -> Result<Option<PresignedPut>, StorageError>;
}

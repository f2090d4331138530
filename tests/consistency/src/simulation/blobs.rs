//! The blobs of a simulation: there are none, and nothing that a schedule does writes one. A directory would have every
//! listing wait for another thread, and in an order that does not replay.

use std::ops::Range;
use std::time::Duration;

use bytes::Bytes;
use svc_storage::{
    BlobInfo, BlobKey, BlobRead, Blobs, ByteStream, PresignedPut, Retention, ServedAs, StorageError,
};

/// No blobs.
pub(super) struct NoBlobs;

fn unavailable() -> StorageError {
    StorageError::Unavailable("a simulation keeps no blobs".into())
}

#[async_trait::async_trait]
impl Blobs for NoBlobs {
    async fn put_once(&self, _: &BlobKey, _: Bytes) -> Result<(), StorageError> {
        Err(unavailable())
    }

    async fn put_stream(&self, _: &BlobKey, _: ByteStream) -> Result<u64, StorageError> {
        Err(unavailable())
    }

    async fn get(&self, key: &BlobKey) -> Result<Bytes, StorageError> {
        Err(StorageError::NotFound(key.to_string()))
    }

    async fn read(&self, key: &BlobKey, _: Option<Range<u64>>) -> Result<BlobRead, StorageError> {
        Err(StorageError::NotFound(key.to_string()))
    }

    async fn list(&self, _: Retention, _: &str, _: Option<&BlobKey>) -> Result<Vec<BlobInfo>, StorageError> {
        Ok(Vec::new())
    }

    async fn delete(&self, _: &BlobKey) -> Result<(), StorageError> {
        Ok(())
    }

    async fn presign_get(
        &self,
        _: &BlobKey,
        _: &ServedAs,
        _: Duration,
    ) -> Result<Option<String>, StorageError> {
        Ok(None)
    }

    async fn presign_put(
        &self,
        _: &BlobKey,
        _: u64,
        _: Duration,
    ) -> Result<Option<PresignedPut>, StorageError> {
        Ok(None)
    }
}

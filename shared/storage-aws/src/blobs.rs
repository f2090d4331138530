//! The blob port on S3. A blob is an object under its own name; the bucket's lifecycle rules delete by the
//! first part of it.

use std::time::Duration;

use aws_sdk_s3::Client;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_s3::presigning::PresigningConfig;
use aws_sdk_s3::primitives::ByteStream;
use aws_sdk_s3::types::Object;
use bytes::Bytes;
use svc_storage::{BlobInfo, BlobKey, Blobs, Retention, StorageError};

use crate::error::unavailable;

/// How often a write is tried that meets a deletion of the same name.
const TRIES: u32 = 4;

/// The blob port on an S3 bucket. [`AwsStore::blobs`](crate::AwsStore::blobs) makes one.
pub struct S3Blobs {
    pub(crate) client: Client,
    pub(crate) bucket: String,
}

#[async_trait::async_trait]
impl Blobs for S3Blobs {
    /// The SDK repeats a write whose reply was lost, so that the writer itself may be told that the blob
    /// exists already.
    async fn put_once(&self, key: &BlobKey, bytes: Bytes) -> Result<(), StorageError> {
        let mut tries = 1;
        loop {
            let result = self
                .client
                .put_object()
                .bucket(&self.bucket)
                .key(key.as_str())
                .if_none_match("*")
                .body(ByteStream::from(bytes.clone()))
                .send()
                .await;
            let Err(error) = result else { return Ok(()) };
            match status(&error) {
                Some(412) => return Err(StorageError::AlreadyExists(key.to_string())),
                // Another writer or a deletion is under way.
                Some(409) if tries < TRIES => tries += 1,
                _ => return Err(unavailable(error)),
            }
        }
    }

    async fn get(&self, key: &BlobKey) -> Result<Bytes, StorageError> {
        let answer = self.client.get_object().bucket(&self.bucket).key(key.as_str()).send().await;
        match answer {
            Ok(object) => Ok(object.body.collect().await.map_err(unavailable)?.into_bytes()),
            Err(error) if error.code() == Some("NoSuchKey") => Err(StorageError::NotFound(key.to_string())),
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn list(
        &self,
        retention: Retention,
        prefix: &str,
        after: Option<&BlobKey>,
    ) -> Result<Vec<BlobInfo>, StorageError> {
        let answer = self
            .client
            .list_objects_v2()
            .bucket(&self.bucket)
            .prefix(format!("{}{prefix}", retention.prefix()))
            .set_start_after(after.map(|after| after.as_str().to_owned()))
            .send()
            .await
            .map_err(unavailable)?;
        answer.contents.unwrap_or_default().into_iter().map(info).collect()
    }

    async fn delete(&self, key: &BlobKey) -> Result<(), StorageError> {
        let answer = self.client.delete_object().bucket(&self.bucket).key(key.as_str()).send().await;
        answer.map(drop).map_err(unavailable)
    }

    async fn presign_get(&self, key: &BlobKey, valid: Duration) -> Result<Option<String>, StorageError> {
        let valid = PresigningConfig::expires_in(valid).map_err(unavailable)?;
        let request = self.client.get_object().bucket(&self.bucket).key(key.as_str());
        Ok(Some(request.presigned(valid).await.map_err(unavailable)?.uri().to_owned()))
    }

    async fn presign_put(&self, key: &BlobKey, valid: Duration) -> Result<Option<String>, StorageError> {
        let valid = PresigningConfig::expires_in(valid).map_err(unavailable)?;
        let request = self.client.put_object().bucket(&self.bucket).key(key.as_str());
        Ok(Some(request.presigned(valid).await.map_err(unavailable)?.uri().to_owned()))
    }
}

fn status<E>(error: &SdkError<E>) -> Option<u16> {
    error.raw_response().map(|response| response.status().as_u16())
}

fn info(object: Object) -> Result<BlobInfo, StorageError> {
    let key = object.key.ok_or_else(|| StorageError::Corrupt("a listed object has no name".into()))?;
    let written_at = object.last_modified.map(|time| time.secs());
    Ok(BlobInfo {
        size: object.size.unwrap_or(0).unsigned_abs(),
        written_at: written_at.ok_or_else(|| StorageError::Corrupt(format!("{key} has no time")))?,
        key: BlobKey::from_listing(key),
    })
}

//! The blob port on S3. A blob is an object under its own name; the bucket's lifecycle rules delete by the
//! first part of it.

use std::io::Write as _;
use std::ops::Range;
use std::time::Duration;

use aws_sdk_s3::Client;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_s3::presigning::PresigningConfig;
use aws_sdk_s3::primitives::ByteStream;
use aws_sdk_s3::types::Object;
use bytes::Bytes;
use futures::stream::{StreamExt as _, unfold};
use svc_storage::{
    BlobInfo, BlobKey, BlobRead, Blobs, ByteStream as Pieces, PresignedPut, Retention, ServedAs, StorageError,
};
use tempfile::NamedTempFile;

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
        self.put(key, &Body::Memory(bytes)).await
    }

    /// Spools the bytes in a temporary file first: the engine wants to know the size before the first byte, and
    /// a write may have to be repeated.
    async fn put_stream(&self, key: &BlobKey, bytes: Pieces) -> Result<u64, StorageError> {
        let (file, size) = spool(bytes).await?;
        self.put(key, &Body::File(file)).await?;
        Ok(size)
    }

    async fn get(&self, key: &BlobKey) -> Result<Bytes, StorageError> {
        let answer = self.client.get_object().bucket(&self.bucket).key(key.as_str()).send().await;
        match answer {
            Ok(object) => Ok(object.body.collect().await.map_err(unavailable)?.into_bytes()),
            Err(error) if error.code() == Some("NoSuchKey") => Err(StorageError::NotFound(key.to_string())),
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn read(&self, key: &BlobKey, part: Option<Range<u64>>) -> Result<BlobRead, StorageError> {
        let range = part.map(|part| format!("bytes={}-{}", part.start, part.end.saturating_sub(1)));
        let request = self.client.get_object().bucket(&self.bucket).key(key.as_str());
        let object = match request.set_range(range).send().await {
            Ok(object) => object,
            Err(error) if matches!(error.code(), Some("NoSuchKey" | "InvalidRange")) => {
                return Err(StorageError::NotFound(key.to_string()));
            }
            Err(error) => return Err(unavailable(error)),
        };
        // `bytes 0-99/1234` for a part, and its length for the whole.
        let whole = object.content_range().and_then(|range| range.rsplit('/').next()?.parse().ok());
        let size = whole.unwrap_or_else(|| object.content_length().unwrap_or(0).unsigned_abs());
        let pieces = unfold(object.body, |mut body| async move {
            let piece = body.next().await?;
            Some((piece.map_err(Into::into), body))
        });
        Ok(BlobRead { size, bytes: pieces.boxed() })
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

    async fn presign_get(
        &self,
        key: &BlobKey,
        served: &ServedAs,
        valid: Duration,
    ) -> Result<Option<String>, StorageError> {
        let valid = PresigningConfig::expires_in(valid).map_err(unavailable)?;
        let request = self
            .client
            .get_object()
            .bucket(&self.bucket)
            .key(key.as_str())
            .response_content_type(&served.content_type)
            .response_content_disposition(&served.disposition);
        Ok(Some(request.presigned(valid).await.map_err(unavailable)?.uri().to_owned()))
    }

    /// Size and "only where none is" are signed headers: the engine refuses a request without them.
    async fn presign_put(
        &self,
        key: &BlobKey,
        size: u64,
        valid: Duration,
    ) -> Result<Option<PresignedPut>, StorageError> {
        let valid = PresigningConfig::expires_in(valid).map_err(unavailable)?;
        let size = i64::try_from(size).map_err(unavailable)?;
        let request = self
            .client
            .put_object()
            .bucket(&self.bucket)
            .key(key.as_str())
            .content_length(size)
            .if_none_match("*");
        let request = request.presigned(valid).await.map_err(unavailable)?;
        let headers =
            request.headers().map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect();
        Ok(Some(PresignedPut { url: request.uri().to_owned(), headers }))
    }
}

impl S3Blobs {
    /// Writes a blob where none is.
    async fn put(&self, key: &BlobKey, body: &Body) -> Result<(), StorageError> {
        let mut tries = 1;
        loop {
            let result = self
                .client
                .put_object()
                .bucket(&self.bucket)
                .key(key.as_str())
                .if_none_match("*")
                .body(body.stream().await?)
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
}

/// Bytes that can be sent as often as it takes.
enum Body {
    Memory(Bytes),
    File(NamedTempFile),
}

impl Body {
    async fn stream(&self) -> Result<ByteStream, StorageError> {
        match self {
            Self::Memory(bytes) => Ok(ByteStream::from(bytes.clone())),
            Self::File(file) => ByteStream::from_path(file.path()).await.map_err(unavailable),
        }
    }
}

/// A temporary file of the stream's bytes, and its size. It goes away with its handle.
async fn spool(mut bytes: Pieces) -> Result<(NamedTempFile, u64), StorageError> {
    let mut file = NamedTempFile::new().map_err(unavailable)?;
    let mut size = 0;
    while let Some(piece) = bytes.next().await {
        let piece = piece.map_err(StorageError::Interrupted)?;
        // A piece fits into the page cache; waiting for it elsewhere would cost more.
        file.write_all(&piece).map_err(unavailable)?;
        size += piece.len() as u64;
    }
    Ok((file, size))
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

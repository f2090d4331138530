//! Bytes of blobs piece by piece: from a stream into a temporary file, and from a file into a stream. Holds a
//! few pieces in memory, whatever the size of the blob.
//!
//! Gives no file its name: that is the protocol of [`crate::blobs`].

use std::io::{self, ErrorKind, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytes::{Bytes, BytesMut};
use futures::stream::{StreamExt, TryStreamExt, try_unfold};
use svc_storage::{BlobRead, ByteStream, StorageError};
use tempfile::NamedTempFile;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio::sync::mpsc;

use crate::error;

/// Pieces that wait for the disk.
const WAITING: usize = 4;

/// Bytes of a piece that is read.
const PIECE: usize = 128 * 1024;

/// A piece on its way to the disk, or that there are no more.
enum Step {
    Piece(Bytes),
    End,
}

/// A file of the stream's bytes in `directory`, and its size. Of a stream that fails, and of a caller that goes
/// away, no file is left.
pub(crate) async fn collect(
    directory: PathBuf,
    mut bytes: ByteStream,
) -> Result<(NamedTempFile, u64), StorageError> {
    let (sender, receiver) = mpsc::channel(WAITING);
    let writer = tokio::task::spawn_blocking(move || write(&directory, receiver));
    while let Some(piece) = bytes.next().await {
        let piece = piece.map_err(StorageError::Interrupted)?;
        if sender.send(Step::Piece(piece)).await.is_err() {
            // The writer has failed and says why below.
            break;
        }
    }
    // A sender that sends no end breaks off.
    let _ = sender.send(Step::End).await;
    let written = writer.await.map_err(|error| StorageError::Unavailable(Box::new(error)))?;
    written.map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            StorageError::Unusable(format!("the directory of attachments is gone ({error})"))
        }
        _ => error::file(error),
    })
}

fn write(directory: &Path, mut steps: mpsc::Receiver<Step>) -> io::Result<(NamedTempFile, u64)> {
    let mut file = NamedTempFile::new_in(directory)?;
    let mut size = 0;
    loop {
        match steps.blocking_recv() {
            Some(Step::Piece(piece)) => {
                file.write_all(&piece)?;
                size += piece.len() as u64;
            }
            Some(Step::End) => return Ok((file, size)),
            None => return Err(ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// A file, or a part of it; `None` when the part begins behind its end.
pub(crate) async fn open(path: &Path, part: Option<Range<u64>>) -> io::Result<Option<BlobRead>> {
    let mut file = File::open(path).await?;
    let metadata = file.metadata().await?;
    if metadata.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    let size = metadata.len();
    let left = match part {
        Some(part) if part.start >= size => return Ok(None),
        Some(part) => {
            file.seek(SeekFrom::Start(part.start)).await?;
            part.end.min(size).saturating_sub(part.start)
        }
        None => size,
    };
    let pieces = try_unfold((file, left), |(mut file, left)| async move {
        if left == 0 {
            return Ok(None);
        }
        let mut piece = BytesMut::with_capacity(PIECE.min(usize::try_from(left).unwrap_or(PIECE)));
        let read = (&mut file).take(left).read_buf(&mut piece).await?;
        if read == 0 {
            return Err(io::Error::from(ErrorKind::UnexpectedEof));
        }
        Ok(Some((piece.freeze(), (file, left - read as u64))))
    });
    Ok(Some(BlobRead { size, bytes: pieces.map_err(Into::into).boxed() }))
}

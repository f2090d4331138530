//! Sends a file to an item: announces it with its size and checksum, sends its bytes, commits it.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures::Stream;
use sha2::{Digest as _, Sha256};
use svc_api::tracker::{Attachment, NewAttachment};
use svc_client::Org;

use crate::failure::Failure;
use crate::output::{Output, Progress, one_line};

/// Bytes read at once.
const PIECE: usize = 128 * 1024;

/// Attaches a file to an item, with this name or its own, and with this media type or that of the name.
///
/// # Errors
/// The file cannot be read, or the instance does not take it.
pub(crate) async fn attach(
    org: Org<'_>,
    item: &str,
    path: &Path,
    name: Option<String>,
    content_type: Option<String>,
    output: &Output,
) -> Result<Attachment, Failure> {
    let (size, sha256) = measure(path).map_err(|error| unreadable(path, &error))?;
    let own = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.or(own).unwrap_or_default();
    let guessed = || mime_guess::from_path(&name).first_or_octet_stream().essence_str().to_owned();
    let content_type = content_type.unwrap_or_else(guessed);
    let new = NewAttachment { name, size, content_type, sha256: Some(sha256), for_comment: false };
    let announced = org.announce_attachment(item, &new).await?;
    let uploading = format!("uploading {}", one_line(&new.name));
    let progress = || Progress::new(uploading.clone(), size, output);
    org.upload_attachment(&announced, || pieces(path.to_owned(), progress())).await?;
    Ok(org.commit_attachment(&announced.attachment.id).await?)
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::rejected(format!("cannot read {}: {error}", path.display()))
}

/// Size and hex SHA-256 of a file.
fn measure(path: &Path) -> io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let (mut hash, mut size, mut buffer) = (Sha256::new(), 0, vec![0; PIECE]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((size, hex::encode(hash.finalize()))),
            read => {
                hash.update(&buffer[..read]);
                size += read as u64;
            }
        }
    }
}

/// The bytes of a file, read as they are sent.
fn pieces(path: PathBuf, mut progress: Progress) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    let mut open = None;
    futures::stream::iter(std::iter::from_fn(move || {
        let piece = piece(&path, &mut open).transpose();
        progress.advance(piece.iter().flatten().map(|bytes| bytes.len() as u64).sum());
        piece
    }))
}

/// The next bytes of a file, which is opened for the first of them; `None` at the end.
fn piece(path: &Path, open: &mut Option<File>) -> io::Result<Option<Bytes>> {
    let file = match open {
        Some(file) => file,
        none => none.insert(File::open(path)?),
    };
    let mut buffer = vec![0; PIECE];
    let read = file.read(&mut buffer)?;
    buffer.truncate(read);
    Ok((read > 0).then(|| buffer.into()))
}

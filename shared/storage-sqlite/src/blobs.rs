//! The blob port on a directory: a file per blob, under the blob's own name, so that people and backup tools
//! can read it. Never lists or returns a file that was not completely written.
//!
//! The protocol of a write:
//!
//! 1. The bytes go into a file of `.tmp`, which is flushed to the disk.
//! 2. It is renamed with a rename that fails if the name exists: of two writers, one wins.
//! 3. The directory is flushed, and so is every parent that was created. The loser of step 2 flushes too, so that a
//!    caller that gets "already exists" can rely on it as well.
//!
//! A crash leaves at most a file in `.tmp`; opening the store removes files there that are older than an hour.

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Write};
use std::ops::Range;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use svc_storage::{
    BlobInfo, BlobKey, BlobRead, Blobs, ByteStream, PresignedPut, Retention, ServedAs, StorageError,
};
use tempfile::NamedTempFile;

use crate::{blob_stream, error};

/// Blobs in one listing.
const LISTING: usize = 1_000;

/// Where unfinished files are.
const TEMPORARY: &str = ".tmp";

/// The blob port on a directory.
pub struct DirBlobs {
    dir: PathBuf,
}

impl DirBlobs {
    /// Opens a directory of blobs, making it where it is not.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] when it cannot be written.
    pub fn open(dir: &Path) -> Result<Self, StorageError> {
        make_dirs(&dir.join(TEMPORARY)).map_err(error::file)?;
        remove_left_over(&dir.join(TEMPORARY)).map_err(error::file)?;
        Ok(Self { dir: dir.to_owned() })
    }

    /// A directory of blobs that are only read. It need not be there.
    pub(crate) fn to_read(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    /// Runs what waits for the disk where waiting is allowed.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Path) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, StorageError> {
        let dir = self.dir.clone();
        tokio::task::spawn_blocking(move || work(&dir))
            .await
            .map_err(|error| StorageError::Unavailable(Box::new(error)))?
    }
}

#[async_trait::async_trait]
impl Blobs for DirBlobs {
    async fn put_once(&self, key: &BlobKey, bytes: Bytes) -> Result<(), StorageError> {
        let key = key.clone();
        self.blocking(move |dir| put_once(dir, &dir.join(key.as_str()), &bytes).map_err(refused(&key))).await
    }

    async fn put_stream(&self, key: &BlobKey, bytes: ByteStream) -> Result<u64, StorageError> {
        let temporary = self.dir.join(TEMPORARY);
        let (file, size) = blob_stream::collect(temporary, bytes).await?;
        let key = key.clone();
        self.blocking(move |dir| {
            publish(file, dir, &dir.join(key.as_str())).map_err(refused(&key))?;
            Ok(size)
        })
        .await
    }

    async fn get(&self, key: &BlobKey) -> Result<Bytes, StorageError> {
        let key = key.clone();
        self.blocking(move |dir| match fs::read(dir.join(key.as_str())) {
            Ok(bytes) => Ok(bytes.into()),
            Err(error) if is_missing(&error) => Err(StorageError::NotFound(key.to_string())),
            Err(error) => Err(error::file(error)),
        })
        .await
    }

    async fn read(&self, key: &BlobKey, part: Option<Range<u64>>) -> Result<BlobRead, StorageError> {
        match blob_stream::open(&self.dir.join(key.as_str()), part).await {
            Ok(Some(read)) => Ok(read),
            Ok(None) => Err(StorageError::NotFound(key.to_string())),
            Err(error) if is_missing(&error) => Err(StorageError::NotFound(key.to_string())),
            Err(error) => Err(error::file(error)),
        }
    }

    async fn list(
        &self,
        retention: Retention,
        prefix: &str,
        after: Option<&BlobKey>,
    ) -> Result<Vec<BlobInfo>, StorageError> {
        let prefix = format!("{}{prefix}", retention.prefix());
        let after = after.map_or_else(String::new, |after| after.as_str().to_owned());
        self.blocking(move |dir| {
            let mut listing = Listing { dir, prefix: &prefix, after: &after, found: Vec::new() };
            listing.walk(retention.prefix()).map_err(error::file)?;
            Ok(listing.found)
        })
        .await
    }

    async fn probe(&self) -> Result<(), StorageError> {
        self.blocking(|dir| match NamedTempFile::new_in(dir.join(TEMPORARY)) {
            Ok(_) => Ok(()),
            Err(error) if is_missing(&error) => Err(StorageError::Unusable(format!(
                "the directory of attachments {} is gone ({error}): put it back, or restore it from a backup",
                dir.display()
            ))),
            Err(error) => Err(error::file(error)),
        })
        .await
    }

    async fn delete(&self, key: &BlobKey) -> Result<(), StorageError> {
        let key = key.clone();
        self.blocking(move |dir| delete(&dir.join(key.as_str())).map_err(error::file)).await
    }

    async fn presign_get(
        &self,
        _key: &BlobKey,
        _served: &ServedAs,
        _valid: Duration,
    ) -> Result<Option<String>, StorageError> {
        Ok(None)
    }

    async fn presign_put(
        &self,
        _key: &BlobKey,
        _size: u64,
        _valid: Duration,
    ) -> Result<Option<PresignedPut>, StorageError> {
        Ok(None)
    }
}

/// What a write that failed means at the port.
fn refused(key: &BlobKey) -> impl FnOnce(io::Error) -> StorageError {
    let name = key.to_string();
    |error| match error.kind() {
        ErrorKind::AlreadyExists => StorageError::AlreadyExists(name),
        // Where unfinished files are is made when the store is opened.
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            StorageError::Unusable(format!("the directory of attachments is gone ({error})"))
        }
        _ => error::file(error),
    }
}

fn put_once(dir: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    // The file is created with mode 0600.
    let mut file = NamedTempFile::new_in(dir.join(TEMPORARY))?;
    file.write_all(bytes)?;
    publish(file, dir, path)
}

/// Moves a complete file to its name, where none is.
fn publish(mut file: NamedTempFile, dir: &Path, path: &Path) -> io::Result<()> {
    let parent = path.parent().unwrap_or(dir);
    file.as_file().sync_all()?;
    let moved = loop {
        make_dirs(parent)?;
        match file.persist_noclobber(path) {
            Ok(_) => break Ok(()),
            // The directory was empty, and removed after the last blob of it.
            Err(refused) if refused.error.kind() == ErrorKind::NotFound => file = refused.file,
            Err(refused) => break Err(refused.error),
        }
    };
    match File::open(parent).and_then(|parent| parent.sync_all()) {
        // Deleted again already.
        Err(error) if !is_missing(&error) => Err(error),
        Ok(()) | Err(_) => moved,
    }
}

/// Removes a blob, and the directories that it leaves empty.
fn delete(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if !is_missing(&error) => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let mut dir = path.parent();
    // A directory that holds anything cannot be removed, the classes' own parent among them.
    while let Some(empty) = dir
        && fs::remove_dir(empty).is_ok()
    {
        dir = empty.parent();
    }
    Ok(())
}

/// Makes a directory and its parents, each certain to be found after a crash.
fn make_dirs(dir: &Path) -> io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Some(parent) = parent {
        make_dirs(parent)?;
    }
    match DirBuilder::new().mode(0o700).create(dir) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        // Made by another writer at this moment; it may not have been flushed yet.
        Ok(()) | Err(_) => {}
    }
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
}

fn remove_left_over(temporary: &Path) -> io::Result<()> {
    // Any file is judged by the clock of the file system that wrote it.
    let now = tempfile::tempfile_in(temporary)?.metadata()?.mtime();
    for entry in fs::read_dir(temporary)? {
        let path = entry?.path();
        match fs::metadata(&path) {
            Ok(file) if file.mtime() < now - 3600 => match fs::remove_file(&path) {
                Err(error) if !is_missing(&error) => return Err(error),
                Ok(()) | Err(_) => {}
            },
            Ok(_) => {}
            Err(error) if is_missing(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// No blob is there: nothing at all, a directory, or a file in the place of one.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory)
}

/// A walk through the tree in the order of whole names.
struct Listing<'a> {
    dir: &'a Path,
    prefix: &'a str,
    after: &'a str,
    found: Vec<BlobInfo>,
}

impl Listing<'_> {
    /// Visits a directory, whose name ends in a slash.
    fn walk(&mut self, name: &str) -> io::Result<()> {
        let entries = match fs::read_dir(self.dir.join(name)) {
            Ok(entries) => entries,
            Err(error) if is_missing(&error) => return Ok(()),
            Err(error) => return Err(error),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry?;
            // Blob names are ASCII; what is not, is not ours.
            let Ok(last) = entry.file_name().into_string() else { continue };
            // The slash takes part in the order: `a-b` comes before `a/b`.
            let slash = if entry.file_type()?.is_dir() { "/" } else { "" };
            names.push(format!("{name}{last}{slash}"));
        }
        names.sort_unstable();
        for name in names {
            if self.found.len() == LISTING {
                return Ok(());
            }
            if name.ends_with('/') {
                if self.may_hold(&name) {
                    self.walk(&name)?;
                }
            } else if name.starts_with(self.prefix) && name.as_str() > self.after {
                self.visit(name)?;
            }
        }
        Ok(())
    }

    /// Whether a directory may hold what is looked for.
    fn may_hold(&self, dir: &str) -> bool {
        let matches = dir.starts_with(self.prefix) || self.prefix.starts_with(dir);
        matches && (dir > self.after || self.after.starts_with(dir))
    }

    fn visit(&mut self, name: String) -> io::Result<()> {
        match fs::metadata(self.dir.join(&name)) {
            Ok(file) => self.found.push(BlobInfo {
                key: BlobKey::from_listing(name),
                size: file.len(),
                written_at: file.mtime(),
            }),
            // Deleted meanwhile.
            Err(error) if is_missing(&error) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

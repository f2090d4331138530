//! Tells whether the files that are open are still those of their names. What is written into a file that was moved away
//! or replaced is lost with the process, and so is what only the write-ahead log has.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use svc_storage::StorageError;

/// The database and its write-ahead log as they were opened.
pub(crate) struct InPlace {
    database: Opened,
    log: Opened,
}

struct Opened {
    path: PathBuf,
    /// Device and number, once there is a file.
    file: OnceLock<(u64, u64)>,
}

impl InPlace {
    pub(crate) fn of(database: &Path) -> Self {
        let opened = Self {
            database: Opened::at(database.to_owned()),
            log: Opened::at(database.with_extension("db-wal")),
        };
        opened.database.look();
        opened
    }

    /// Two looks at the file system.
    ///
    /// # Errors
    /// [`StorageError::Unusable`] says which file is gone or was replaced.
    pub(crate) fn check(&self) -> Result<(), StorageError> {
        self.database.check()?;
        self.log.check()
    }

    /// Remembers the log, which the first commit makes. It keeps its name until the last connection closes.
    pub(crate) fn committed(&self) {
        self.log.look();
    }
}

impl Opened {
    const fn at(path: PathBuf) -> Self {
        Self { path, file: OnceLock::new() }
    }

    fn look(&self) {
        if self.file.get().is_none()
            && let Some(file) = identity(&self.path)
        {
            // Another thread may have looked first, and saw the same.
            let _ = self.file.set(file);
        }
    }

    fn check(&self) -> Result<(), StorageError> {
        let Some(opened) = self.file.get() else { return Ok(()) };
        let now = identity(&self.path);
        if now.as_ref() == Some(opened) {
            return Ok(());
        }
        let what = if now.is_none() { "is gone" } else { "was replaced" };
        Err(StorageError::Unusable(format!(
            "{} {what} while it was open: nothing is written any more, as it would be lost. Stop the service and restore \
             the file",
            self.path.display()
        )))
    }
}

/// Device and number of a file.
fn identity(path: &Path) -> Option<(u64, u64)> {
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

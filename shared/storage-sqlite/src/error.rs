//! What SQLite's and the file system's errors mean at the ports.

use rusqlite::ErrorCode;
use svc_storage::StorageError;

/// An error of the database.
pub(crate) fn database(error: rusqlite::Error) -> StorageError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StorageError::Contention,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            StorageError::Corrupt(error.to_string())
        }
        Some(ErrorCode::DiskFull) => StorageError::Full,
        _ => StorageError::Unavailable(Box::new(error)),
    }
}

/// An error of the file system.
pub(crate) fn file(error: std::io::Error) -> StorageError {
    match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => StorageError::Full,
        std::io::ErrorKind::ReadOnlyFilesystem | std::io::ErrorKind::PermissionDenied => {
            StorageError::Unusable(format!("the directory of attachments does not take writes ({error})"))
        }
        _ => StorageError::Unavailable(Box::new(error)),
    }
}

/// The store was closed, or its writer is gone.
pub(crate) fn closed() -> StorageError {
    StorageError::Unavailable("the store is closed".into())
}

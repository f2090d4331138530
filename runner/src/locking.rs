//! Locks of this process, which outlive a panic: what they guard is whole after every statement. And locks over
//! processes, which end with the process that holds them.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for the lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until no other process, and no other task, holds the lock of this name in a private directory. It is held as
/// long as the file.
///
/// # Errors
/// The lock file cannot be made.
pub(crate) async fn lock_file(directory: PathBuf, name: String) -> io::Result<File> {
    let blocking = move || {
        crate::runner_file::private_directory(&directory)?;
        let file = File::create(directory.join(name))?;
        file.lock()?;
        Ok(file)
    };
    tokio::task::spawn_blocking(blocking).await.map_err(io::Error::other)?
}

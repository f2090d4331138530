//! Locks of this process, which outlive a panic: what they guard is whole after every statement.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for the lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

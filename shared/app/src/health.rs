//! Whether the store accepts writes, as far as this process knows; the health check reports it.
//!
//! Records the results of writes. Decides nothing: reads continue.

use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;
use svc_storage::{Blobs, StorageError, Table, keys};

/// What came of the last writes.
#[derive(Debug, Default)]
pub struct Health {
    failing: AtomicBool,
    /// What the rows or the blobs are kept in is gone.
    lost: AtomicBool,
}

/// How a process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It reads and writes.
    Well,
    /// It reads; what is written is refused, because the disk is full.
    Full,
    /// It reads; what is written is refused.
    ReadsOnly,
    /// The store does not answer.
    Away,
    /// The store's file is gone or was replaced: what is written is refused, as it would be lost.
    Lost,
    /// The directory of attachments is gone, or takes no writes.
    BlobsLost,
}

impl Health {
    /// Notes that a write did not succeed.
    pub(crate) fn write_failed(&self, error: &StorageError) {
        let failing =
            matches!(error, StorageError::Unavailable(_) | StorageError::Full | StorageError::Unusable(_));
        if failing && !self.failing.swap(true, Ordering::Relaxed) {
            tracing::error!(
                error = error as &dyn std::error::Error,
                "the store takes no writes; reads continue"
            );
        }
    }

    /// Notes that a write succeeded.
    pub(crate) fn wrote(&self) {
        if self.failing.load(Ordering::Relaxed) && self.failing.swap(false, Ordering::Relaxed) {
            tracing::info!("the store takes writes again");
        }
    }

    /// How this process is now. Where the last write failed, another is tried.
    pub async fn condition(&self, table: &dyn Table, blobs: &dyn Blobs, now: Timestamp) -> Condition {
        for (probed, condition) in
            [(table.probe().await, Condition::Lost), (blobs.probe().await, Condition::BlobsLost)]
        {
            if let Err(error) = probed {
                if !self.lost.swap(true, Ordering::Relaxed) {
                    tracing::error!("{error}");
                }
                return if matches!(error, StorageError::Full) { Condition::Full } else { condition };
            }
        }
        self.lost.store(false, Ordering::Relaxed);
        if let Err(error) = table.get(&keys::setup()).await {
            tracing::error!(error = &error as &dyn std::error::Error, "the store does not answer");
            return Condition::Away;
        }
        if !self.failing.load(Ordering::Relaxed) {
            return Condition::Well;
        }
        let minute = now.as_second().div_euclid(60);
        let tried = table.increment(&keys::rate("health", minute), "spent", 1, Some((minute + 2) * 60)).await;
        match tried {
            Ok(_) => {
                self.wrote();
                Condition::Well
            }
            Err(StorageError::Full) => Condition::Full,
            Err(_) => Condition::ReadsOnly,
        }
    }
}

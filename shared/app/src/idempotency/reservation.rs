//! The row of an idempotency key, and the reservation of a key whose row is not written yet.

use std::sync::atomic::{AtomicBool, Ordering};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use svc_storage::{Condition, Key, Op};

use crate::derive::Made;

/// What was done is remembered for a day.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(24);

/// What is stored under a key.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Record {
    pub(super) fingerprint: String,
    /// When the work was done, or begun by an older server.
    pub(super) since: Timestamp,
    /// Nonce and sealed [`Remembered`], base64; none until there was an answer.
    pub(super) reply: Option<String>,
    /// Whether the work is done. Not in the rows of older servers.
    #[serde(default)]
    pub(super) done: bool,
    /// What the work made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) made: Option<Made>,
}

impl Record {
    /// The operation that writes it.
    pub(super) fn put(&self, key: &Key, condition: Condition) -> Op {
        let expires = (self.since + REMEMBERED).as_second();
        Op::put(key.clone(), condition, self).expiring(expires)
    }
}

/// A key whose work is yet to be done.
#[derive(Debug)]
pub struct Reservation {
    pub(super) key: Key,
    pub(super) condition: Condition,
    pub(super) fingerprint: String,
    /// Whether a transaction has written the key's row.
    closed: AtomicBool,
}

impl Reservation {
    /// Of a key whose row is so now, for the request with this fingerprint.
    pub(super) const fn new(key: Key, condition: Condition, fingerprint: String) -> Self {
        Self { key, condition, fingerprint, closed: AtomicBool::new(false) }
    }

    /// Whether the next transaction of the request writes the key's row.
    pub fn is_open(&self) -> bool {
        !self.closed.load(Ordering::SeqCst)
    }

    /// The row was written.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
    }

    /// The operation that says that the work is done, for the transaction of the work.
    pub(crate) fn claim(&self, now: Timestamp, made: Option<Made>) -> Op {
        let fingerprint = self.fingerprint.clone();
        let record = Record { fingerprint, since: now, reply: None, done: true, made };
        record.put(&self.key, self.condition)
    }

    /// Version of the row after the transaction of the work.
    pub(super) const fn version(&self) -> u64 {
        match self.condition {
            Condition::Version(version) => version + 1,
            Condition::Absent | Condition::Present | Condition::None => 1,
        }
    }
}

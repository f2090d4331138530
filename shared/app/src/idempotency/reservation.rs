//! The row of an idempotency key, and the reservation of a key whose row is not written yet.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use svc_domain::ids::ProjectKey;
use svc_storage::{Condition, Key, Op};

use crate::derive::Made;

/// What was done is remembered for a day.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(24);

/// What is stored under a key.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Record {
    pub(super) fingerprint: String,
    /// When the work was done.
    pub(super) since: Timestamp,
    /// The sealed answer; none until there was one.
    pub(super) reply: Option<String>,
    /// What the work made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) made: Option<Made>,
    /// The project in which it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) project: Option<ProjectKey>,
}

/// A key whose work is yet to be done.
#[derive(Debug)]
pub struct Reservation {
    key: Key,
    pub(super) condition: Condition,
    fingerprint: String,
    made: OnceLock<Made>,
    project: OnceLock<ProjectKey>,
    /// Whether a transaction has written the key's row.
    closed: AtomicBool,
}

impl Reservation {
    /// Of a key whose row is so now, for the request with this fingerprint.
    pub(super) const fn new(key: Key, condition: Condition, fingerprint: String) -> Self {
        let closed = AtomicBool::new(false);
        Self { key, condition, fingerprint, made: OnceLock::new(), project: OnceLock::new(), closed }
    }

    /// Whether the next transaction of the request writes the key's row.
    pub fn is_open(&self) -> bool {
        !self.closed.load(Ordering::SeqCst)
    }

    /// The row was written.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
    }

    /// The work is done in this project.
    pub(crate) fn enter(&self, project: &ProjectKey) {
        let _ = self.project.set(project.clone());
    }

    /// The operation that says that the work is done, for the transaction of the work.
    pub(crate) fn claim(&self, now: Timestamp, made: Option<Made>) -> Op {
        if let Some(made) = made {
            let _ = self.made.set(made);
        }
        self.put(now, None, self.condition)
    }

    /// The operation that adds the sealed answer.
    pub(super) fn answered(&self, now: Timestamp, reply: String, condition: Condition) -> Op {
        self.put(now, Some(reply), condition)
    }

    fn put(&self, since: Timestamp, reply: Option<String>, condition: Condition) -> Op {
        let (made, project) = (self.made.get().cloned(), self.project.get().cloned());
        let record = Record { fingerprint: self.fingerprint.clone(), since, reply, made, project };
        let expires = (since + REMEMBERED).as_second();
        Op::put(self.key.clone(), condition, &record).expiring(expires)
    }

    /// Version of the row after the transaction of the work.
    pub(super) const fn version(&self) -> u64 {
        match self.condition {
            Condition::Version(version) => version + 1,
            Condition::Absent | Condition::Present | Condition::None => 1,
        }
    }
}

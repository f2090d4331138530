//! Sends a run's log to the instance.
//!
//! ```text
//! 1. One batch is on its way at a time; it is repeated unchanged until the instance answers.
//! 2. A batch is gathered for a moment, so that a burst is one request, and batches keep a distance that
//!    grows with the number of runs, so that logs leave most of the request budget to other calls.
//! 3. `truncated`: send no more, the run goes on. `cancel`, a refused secret, an ended assignment: pull the
//!    switch of the run.
//! 4. A batch that the instance will never take ends the upload, never the run.
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use svc_api::runner::NewLogEntry;
use tokio::time::{Instant, sleep, sleep_until};

use super::LogSource;
use crate::calls::{CallError, RunCalls, next_pause};
use crate::stop::{Stop, StopSwitch};

const MOST_ENTRIES: usize = 1_000;
/// The limit of 1 MB is on the text; the rest is for escapes.
const MOST_BYTES: usize = 900 * 1024;
const GATHER: Duration = Duration::from_millis(80);
const LEAST_DISTANCE: Duration = Duration::from_millis(400);
const DISTANCE_PER_RUN: Duration = Duration::from_millis(250);
const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// How far apart the uploads of a profile's runs keep their batches.
#[derive(Debug, Default)]
pub struct Pace {
    runs: AtomicU32,
}

impl Pace {
    fn distance(&self) -> Duration {
        LEAST_DISTANCE.max(DISTANCE_PER_RUN * self.runs.load(Ordering::Relaxed))
    }
}

/// Sends what a [`LogSource`] brings.
pub struct Uploader {
    source: LogSource,
    calls: RunCalls,
    pace: Arc<Pace>,
    stop: StopSwitch,
    next_seq: u64,
}

impl Uploader {
    /// An uploader; sequence numbers begin with 1.
    pub fn new(source: LogSource, calls: RunCalls, pace: Arc<Pace>, stop: StopSwitch) -> Self {
        pace.runs.fetch_add(1, Ordering::Relaxed);
        Self { source, calls, pace, stop, next_seq: 1 }
    }

    /// Sends until the log is closed and everything is sent, or the instance wants no more.
    pub async fn run(mut self) {
        let mut not_before = Instant::now();
        loop {
            // Asked before reading: what is read after a close is all there is.
            let closed = self.source.is_closed();
            let batch = match self.source.next_batch(MOST_ENTRIES, MOST_BYTES) {
                Ok(batch) => batch,
                Err(error) => {
                    tracing::warn!(%error, "the log of the run cannot be read back");
                    break;
                }
            };
            if batch.is_empty() {
                if closed {
                    break;
                }
                self.source.news().await;
                self.gather(not_before).await;
                continue;
            }
            let full = batch.len() == MOST_ENTRIES;
            not_before = Instant::now() + self.pace.distance();
            if !self.send(batch).await {
                break;
            }
            if !full {
                self.gather(not_before).await;
            }
        }
        self.source.shut();
    }

    /// Lets entries gather until the next batch may go. The last batch goes at once.
    async fn gather(&self, not_before: Instant) {
        let until = not_before.max(Instant::now() + GATHER);
        while !self.source.is_closed() {
            tokio::select! {
                () = sleep_until(until) => return,
                () = self.source.news() => {}
            }
        }
    }

    /// Sends one batch; answers whether to go on.
    async fn send(&mut self, batch: Vec<NewLogEntry>) -> bool {
        let mut pause = FIRST_PAUSE;
        let after = self.next_seq + batch.len() as u64;
        loop {
            match self.calls.append_log(self.next_seq, batch.clone()).await {
                Ok(reply) => {
                    if reply.cancel {
                        self.stop.pull(Stop::Cancelled);
                    }
                    self.next_seq = after;
                    return !reply.truncated;
                }
                Err(CallError::Unreachable(reason)) => {
                    tracing::debug!(reason, "log upload waits for the instance");
                    sleep(pause).await;
                    pause = next_pause(pause);
                }
                Err(CallError::AssignmentEnded) => {
                    self.stop.pull(Stop::AssignmentEnded);
                    return false;
                }
                Err(CallError::SecretRefused) => {
                    self.stop.pull(Stop::SecretRefused);
                    return false;
                }
                Err(CallError::Rejected(reason)) => {
                    tracing::warn!(reason, "the instance does not take the log; the run goes on without");
                    return false;
                }
            }
        }
    }
}

impl Drop for Uploader {
    fn drop(&mut self) {
        self.pace.runs.fetch_sub(1, Ordering::Relaxed);
    }
}

//! Sends a run's log to the instance.
//!
//! ```text
//! 1. One batch is on its way at a time; it is repeated unchanged until the instance answers.
//! 2. A batch is gathered for a moment, so that a burst is one request, and batches keep a distance that
//!    grows with the number of runs, so that logs leave most of the request budget to other calls.
//! 3. `truncated`: send no more while the run goes on, and at its end the last 256 KiB. `cancel`, a refused secret, an ended assignment: pull the
//!    switch of the run.
//! 4. A batch that the instance will never take ends the upload, never the run.
//! ```

use std::collections::VecDeque;
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
/// Bytes of the end of a capped log that are kept, and what an entry counts beyond its text: as the instance counts.
const TAIL: usize = 256 * 1024;
const ENTRY: usize = 40;
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
            match self.send(&batch, false).await {
                Sent::Taken => {}
                Sent::Truncated => {
                    self.send_tail(batch).await;
                    break;
                }
                Sent::Refused => break,
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

    /// Keeps the end of a log that was capped, `last` the batch that met the cap, and sends it when the log is closed.
    async fn send_tail(&mut self, last: Vec<NewLogEntry>) {
        let mut tail = Tail { first_seq: self.next_seq - last.len() as u64, ..Tail::default() };
        tail.add(last);
        loop {
            let closed = self.source.is_closed();
            match self.source.next_batch(MOST_ENTRIES, MOST_BYTES) {
                Ok(batch) if batch.is_empty() && closed => break,
                Ok(batch) if batch.is_empty() => self.source.news().await,
                Ok(batch) => tail.add(batch),
                Err(error) => {
                    tracing::warn!(%error, "the log of the run cannot be read back");
                    break;
                }
            }
        }
        self.next_seq = tail.first_seq;
        let entries = Vec::from(tail.entries);
        for batch in entries.chunks(MOST_ENTRIES) {
            if matches!(self.send(batch, true).await, Sent::Refused) {
                return;
            }
        }
    }

    /// Sends one batch until it is heard.
    async fn send(&mut self, batch: &[NewLogEntry], tail: bool) -> Sent {
        let mut pause = FIRST_PAUSE;
        let after = self.next_seq + batch.len() as u64;
        loop {
            match self.calls.append_log(self.next_seq, batch.to_vec(), tail).await {
                Ok(reply) => {
                    if reply.cancel {
                        self.stop.pull(Stop::Cancelled);
                    }
                    self.next_seq = after;
                    return if reply.truncated { Sent::Truncated } else { Sent::Taken };
                }
                Err(CallError::Unreachable(reason)) => {
                    tracing::debug!(reason, "log upload is waiting for the instance");
                    sleep(pause).await;
                    pause = next_pause(pause);
                }
                Err(CallError::AssignmentEnded) => {
                    self.stop.pull(Stop::AssignmentEnded);
                    return Sent::Refused;
                }
                Err(CallError::SecretRefused) => {
                    self.stop.pull(Stop::SecretRefused);
                    return Sent::Refused;
                }
                Err(CallError::Rejected(reason)) => {
                    tracing::warn!(
                        reason,
                        "the instance does not accept the log; the run continues without it"
                    );
                    return Sent::Refused;
                }
            }
        }
    }
}

/// What became of a batch.
enum Sent {
    Taken,
    /// The log has reached its cap.
    Truncated,
    Refused,
}

/// The last entries of a log, as many as the instance keeps beyond the cap.
#[derive(Default)]
struct Tail {
    entries: VecDeque<NewLogEntry>,
    bytes: usize,
    /// Number of the first.
    first_seq: u64,
}

impl Tail {
    fn add(&mut self, batch: Vec<NewLogEntry>) {
        for entry in batch {
            self.bytes += entry.text.len() + ENTRY;
            self.entries.push_back(entry);
        }
        while self.bytes > TAIL
            && let Some(first) = self.entries.pop_front()
        {
            self.bytes -= first.text.len() + ENTRY;
            self.first_seq += 1;
        }
    }
}

impl Drop for Uploader {
    fn drop(&mut self) {
        self.pace.runs.fetch_sub(1, Ordering::Relaxed);
    }
}

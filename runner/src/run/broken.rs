//! A run whose task panics ends as any other run does: its processes are ended, its work is saved, and it is reported
//! as failed, at once.
//!
//! ```text
//! 1. What the task held is dropped first: that kills the harness and ends the runner's own git.
//! 2. Processes that carry the run's mark are ended.
//! 3. What the agent changed in the repository is put back, and what origin lacks is saved.
//! 4. The rest of the log is sent, then the failure; the workspace is kept or removed, as after any failure.
//! 5. If that panics too, the failure alone is reported, and the next runner clears away what is left.
//! ```

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::path::Path;

use futures::FutureExt as _;
use svc_api::runner::Assignment;

use super::report::Attempt;
use super::{Ended, OneRun, closing_words, delivery, recover};
use crate::calls::RunCalls;
use crate::failure::{Failure, FailureReason};
use crate::harness::Conclusion;
use crate::process::marked::end_run;
use crate::stop::{Stop, StopSwitch};
use crate::workspace::Manifest;

/// Works to its end, or to its panic; answers what the panic said. What the work held is dropped by then.
pub(super) async fn caught<T>(work: impl Future<Output = T>) -> Result<T, String> {
    AssertUnwindSafe(work).catch_unwind().await.map_err(words)
}

fn words(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no reason given".to_owned())
}

/// How a run failed whose runner panicked with these words. Where the harness had begun, its session can be continued.
fn failed(panic: &str, manifest: Option<&Manifest>) -> Attempt {
    let started = manifest.is_some_and(|manifest| manifest.started);
    let reason = if started { FailureReason::HarnessCrashed } else { FailureReason::WorkspaceFailed };
    let detail = format!("the runner had an internal error and ended the run: {panic}");
    let session = manifest.and_then(|manifest| manifest.session.clone());
    Attempt {
        conclusion: Conclusion { session, ..Conclusion::default() },
        ..Attempt::failed(Failure::new(reason, detail))
    }
}

impl OneRun {
    /// Cleans up after a panic of the attempt; answers the failure.
    pub(super) async fn broken_off(&self, panic: &str) -> Attempt {
        tracing::error!(run = self.assignment.run_id, panic, "the run panicked; it ends as failed");
        end_processes(self.directory.path()).await;
        // Tried again below.
        let _ = self.leave().await;
        let Some(manifest) = Manifest::read(self.directory.path()) else { return failed(panic, None) };
        let (manifest, kept) = recover::save(&self.directory, manifest).await;
        self.note(|known| known.saved = manifest.saved);
        let mut attempt = failed(panic, Some(&manifest));
        attempt.verified.remarks = kept;
        attempt
    }
}

async fn end_processes(directory: &Path) {
    let directory = directory.to_owned();
    if let Err(error) = tokio::task::spawn_blocking(move || end_run(&directory)).await {
        tracing::warn!(%error, "processes of the run may be left");
    }
}

/// Reports a run whose end panicked. What is left of it is cleared away by the next runner.
pub(super) async fn report(
    panic: &str,
    calls: &RunCalls,
    assignment: &Assignment,
    directory: &Path,
    stop: &StopSwitch,
) -> Ended {
    tracing::error!(run = assignment.run_id, panic, "the end of the run panicked");
    end_processes(directory).await;
    let attempt = failed(panic, Manifest::read(directory).as_ref());
    // The run may have been reported already.
    let _ = calls.finish(&attempt.finish(assignment.fence, str::to_owned), delivery(stop)).await;
    Ended { secret_refused: stop.reason() == Some(Stop::SecretRefused), words: closing_words(&attempt) }
}

#[cfg(test)]
mod tests;

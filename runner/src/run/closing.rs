//! The end of a run: the rest of the log and the report are delivered, and the workspace is kept or removed.

use std::path::Path;
use std::time::Duration;

use svc_api::runner::FinishResult;
use tokio::time::{Instant, sleep};

use super::report::Attempt;
use super::{OneRun, delivery, record};
use crate::calls::CallError;
use crate::clock;
use crate::locking::lock;
use crate::stop::Stop;
use crate::workspace::changes::changes;
use crate::workspace::git::GitError;
use crate::workspace::prepare::Checkout;
use crate::workspace::{Manifest, retention};

/// How long telling what a run changed is tried: the end of the run must not wait for it for long.
const CHANGES: Duration = Duration::from_secs(120);
/// The same for the files that it left.
const ARTIFACTS: Duration = Duration::from_secs(300);

impl OneRun {
    /// Sends the rest of the log, then the end of the run.
    pub(super) async fn deliver(&self, attempt: &Attempt, mut upload: tokio::task::JoinHandle<()>) {
        let listening = || self.stop.reason().is_none_or(Stop::may_report);
        tokio::select! {
            _ = &mut upload, if listening() => {}
            () = sleep(delivery(&self.stop)), if listening() => {
                tracing::warn!(run = self.assignment.run_id, "the end of the log could not be delivered");
            }
            else => {}
        }
        upload.abort();
        if !listening() {
            return;
        }
        self.tell_changes(attempt).await;
        self.send_artifacts(attempt).await;
        let finish = attempt.finish(self.assignment.fence, |text| self.log.redacted(text));
        match self.calls.finish(&finish, delivery(&self.stop)).await {
            Ok(()) => {}
            Err(CallError::AssignmentEnded) => self.stop.pull(Stop::AssignmentEnded),
            Err(CallError::SecretRefused) => self.stop.pull(Stop::SecretRefused),
            Err(CallError::Unreachable(reason) | CallError::Rejected(reason)) => {
                tracing::error!(
                    run = self.assignment.run_id,
                    reason,
                    "the end of the run could not be reported"
                );
            }
        }
    }

    /// Saves what origin lacks, whatever becomes of the workspace.
    pub(super) async fn save(&self, attempt: &mut Attempt) {
        let Some(manifest) = Manifest::read(self.directory.path()) else { return };
        let verified = &attempt.verified;
        let delivered = verified.local_head.as_deref().filter(|_| verified.delivered);
        match retention::save(self.directory.path(), &manifest, delivered).await {
            Ok(kept) => {
                self.note(|manifest| manifest.saved = true);
                let kept = kept.unwrap_or_default();
                kept.words(&manifest.run_id, true).iter().for_each(|told| self.log.event(told));
                attempt.verified.remarks.extend(kept.words(&manifest.run_id, false));
            }
            Err(error) => {
                let told = unsaved(&manifest.repo, &error);
                self.log.event(&told);
                attempt.verified.remarks.push(told);
            }
        }
    }

    /// Reads what the run changed, for people to look at. Nothing depends on it.
    pub(super) async fn look_at_changes(&self, attempt: &mut Attempt, checkout: &Checkout) {
        if attempt.stopped.is_some_and(|stopped| !stopped.may_report()) {
            return;
        }
        let default = &self.assignment.repository.default_branch;
        match changes(checkout, default, |text| self.log.redacted(text)).await {
            Ok(changes) => attempt.changes = changes,
            Err(error) => self.log.event(&format!("The changes of the run cannot be shown: {error}")),
        }
    }

    /// Tells what the run changed, while the run is still this runner's. An older instance does not know the call.
    async fn tell_changes(&self, attempt: &Attempt) {
        let Some(changes) = attempt.changes.clone() else { return };
        if let Err(error) = self.calls.changes(changes, delivery(&self.stop).min(CHANGES)).await {
            tracing::warn!(run = self.assignment.run_id, ?error, "what the run changed could not be told");
        }
    }

    /// Sends the files that the agent left for people. Nothing depends on them; an older instance does not know the call.
    async fn send_artifacts(&self, attempt: &Attempt) {
        let deadline = Instant::now() + delivery(&self.stop).min(ARTIFACTS);
        for artifact in &attempt.artifacts {
            let name = artifact.name();
            let content = match artifact.content(&self.log) {
                Ok(content) => content,
                Err(error) => {
                    tracing::warn!(run = self.assignment.run_id, "artifact {name:?} cannot be read: {error}");
                    continue;
                }
            };
            let left = deadline.saturating_duration_since(Instant::now());
            match self.calls.artifact(name, content, left).await {
                Ok(()) => {}
                Err(CallError::Rejected(why)) => {
                    tracing::warn!(run = self.assignment.run_id, "artifact {name:?} was refused: {why}");
                }
                Err(error) => {
                    tracing::warn!(run = self.assignment.run_id, ?error, "artifacts could not be sent");
                    return;
                }
            }
        }
    }

    pub(super) async fn clean_up(&self, attempt: &Attempt) {
        let root = &self.context.root;
        let manifest = Manifest::read(self.directory.path());
        let saved = manifest.as_ref().is_some_and(|manifest| manifest.saved || manifest.base.is_empty());
        let kept = attempt.conclusion.session.is_some() || self.context.keep_workspaces || !saved;
        let place = self.directory.path().to_owned();
        let bytes = if kept {
            tokio::task::spawn_blocking(move || retention::size_of(&place)).await.unwrap_or_default()
        } else {
            0
        };
        let end = |ended: &mut Manifest| {
            ended.bytes = bytes;
            ended.session.clone_from(&attempt.conclusion.session);
            ended.session_tokens = attempt.conclusion.session_tokens;
            ended.saved = saved;
        };
        record::close(&self.directory, end, clock::now());
        let active: Vec<String> = {
            let active = lock(&self.context.active);
            active.iter().filter(|id| **id != self.assignment.run_id).cloned().collect()
        };
        if !kept {
            retention::discard(root, &self.assignment.run_id).await;
        }
        if !self.context.keep_workspaces {
            retention::sweep(root, &active, clock::now()).await;
        }
    }
}

/// What people hear of work that could not be saved, so that they find it.
pub(super) fn unsaved(repo: &Path, error: &GitError) -> String {
    let why = error.to_string();
    let why = why.lines().next().unwrap_or_default();
    format!("Not saved: what the run left beside its branch is still in {} ({why}).", repo.display())
}

/// How a run ended, in a sentence.
pub(super) fn closing_words(attempt: &Attempt) -> String {
    match (attempt.result(), attempt.cause()) {
        (FinishResult::Succeeded, _) => "The run succeeded".to_owned(),
        (FinishResult::TimedOut, _) => "The run was stopped at its time limit".to_owned(),
        (FinishResult::Failed, Some(cause)) => {
            format!("The run failed ({}): {}", cause.reason.as_str(), cause.detail)
        }
        (FinishResult::Failed | FinishResult::Cancelled | FinishResult::Unknown, _) => {
            stopped_words(attempt.stopped).to_owned()
        }
    }
}

const fn stopped_words(stopped: Option<Stop>) -> &'static str {
    match stopped {
        Some(Stop::AssignmentEnded) => {
            "The service had already ended the run, because it had not heard from the runner for a while"
        }
        Some(Stop::SecretRefused) => "The run was stopped: the runner's secret is refused",
        Some(Stop::RunnerStopped) => "The run was cancelled, because the runner was stopped",
        Some(Stop::Cancelled | Stop::TimeLimit) | None => "The run was cancelled",
    }
}

#[cfg(test)]
mod tests {
    use super::{Attempt, Stop, closing_words};

    /// A run that the service had given up was "cancelled", although no person had cancelled it.
    #[test]
    fn a_run_that_the_service_gave_up_was_not_cancelled() {
        let words = |stop| closing_words(&Attempt::stopped(stop));
        assert_eq!(words(Stop::Cancelled), "The run was cancelled");
        assert!(words(Stop::AssignmentEnded).starts_with("The service had already ended the run"));
        assert!(words(Stop::SecretRefused).contains("secret is refused"));
    }
}

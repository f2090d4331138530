//! What the instance is told at the end of a run. Pure.

use svc_api::factory::RunChanges;
use svc_api::runner::{Finish, FinishResult};

use super::artifacts::Artifact;
use crate::failure::{Failure, FailureReason};
use crate::harness::{Conclusion, Exit};
use crate::stop::Stop;
use crate::workspace::outcome::Verified;

const LONGEST_OUTCOME: usize = 16_000;
const LONGEST_DETAIL: usize = 2_000;

/// How a run went.
#[derive(Debug, Default)]
pub(super) struct Attempt {
    /// Why it was stopped, if it was.
    pub(super) stopped: Option<Stop>,
    /// Why it failed before or beside its harness.
    pub(super) failure: Option<Failure>,
    /// How the harness ended.
    pub(super) exit: Option<Exit>,
    /// What the harness concluded.
    pub(super) conclusion: Conclusion,
    /// What is true of its work.
    pub(super) verified: Verified,
    /// Pull request that carries the work.
    pub(super) pull_request: Option<String>,
    /// Why the agent said that it could not do the work.
    pub(super) gave_up: Option<String>,
    /// What it changed, to be looked at.
    pub(super) changes: Option<RunChanges>,
    /// Files that the agent left for people.
    pub(super) artifacts: Vec<Artifact>,
}

impl Attempt {
    /// A run that failed before its harness started.
    pub(super) fn failed(failure: Failure) -> Self {
        Self { failure: Some(failure), ..Self::default() }
    }

    /// A run that was stopped before its harness started.
    pub(super) fn stopped(reason: Stop) -> Self {
        Self { stopped: Some(reason), ..Self::default() }
    }

    /// The run's result. A stop counts whatever the harness reports.
    pub(super) fn result(&self) -> FinishResult {
        match self.stopped {
            Some(Stop::TimeLimit) => FinishResult::TimedOut,
            Some(_) => FinishResult::Cancelled,
            None if self.cause().is_some() => FinishResult::Failed,
            None => FinishResult::Succeeded,
        }
    }

    /// Why it failed, unless it was stopped or succeeded. What the harness reports is believed of failures only.
    pub(super) fn cause(&self) -> Option<Failure> {
        if self.stopped.is_some() {
            return None;
        }
        let gave_up =
            self.gave_up.as_ref().map(|why| Failure::new(FailureReason::HarnessFailed, why.clone()));
        let missing = || {
            let why = self.verified.missing.as_ref()?;
            Some(Failure::new(FailureReason::NothingDelivered, why.clone()))
        };
        self.failure.clone().or_else(|| self.conclusion.failure.clone()).or(gave_up).or_else(missing)
    }

    /// Whether its harness did not know the session that it should resume.
    pub(super) fn lost_session(&self) -> bool {
        let failure = self.conclusion.failure.as_ref();
        self.stopped.is_none() && failure.is_some_and(|f| f.reason == FailureReason::SessionUnavailable)
    }

    /// The message to the instance. `redact` takes secrets out of texts.
    pub(super) fn finish(&self, fence: u64, redact: impl Fn(&str) -> String) -> Finish {
        let text = |text: &str, longest: usize| shortened(&redact(text), longest);
        let cause = self.cause();
        Finish {
            fence,
            result: self.result(),
            failure_reason: cause.as_ref().map(|cause| cause.reason.as_str().to_owned()),
            failure_detail: cause.as_ref().map(|cause| text(&cause.detail, LONGEST_DETAIL)),
            outcome: self.outcome().map(|outcome| text(&outcome, LONGEST_OUTCOME)),
            exit_code: self.exit.map(Exit::code),
            pull_request: self.pull_request.as_deref().map(&redact),
            pushed_branch: self.verified.pushed_branch.clone(),
            local_head: self.verified.local_head.clone(),
            remote_head: self.verified.remote_head.clone(),
            cost: self.conclusion.cost,
            tokens: self.conclusion.tokens,
            harness_session: self.conclusion.session.clone(),
        }
    }

    /// The agent's words, then what is true besides. The words of a harness that failed are about itself, and may
    /// name addresses: they are a reason, which is for operators, and no outcome.
    fn outcome(&self) -> Option<String> {
        let failed = self.conclusion.failure.is_some();
        let mut parts: Vec<String> = self.conclusion.outcome.iter().filter(|_| !failed).cloned().collect();
        parts.extend((!self.verified.remarks.is_empty()).then(|| self.verified.remarks.join(" ")));
        (!parts.is_empty()).then(|| parts.join("\n\n"))
    }
}

fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn concluded(failure: Option<FailureReason>) -> Attempt {
        Attempt {
            exit: Some(Exit::Code(0)),
            conclusion: Conclusion {
                failure: failure.map(|reason| Failure::new(reason, "said")),
                outcome: Some("Done.".into()),
                ..Conclusion::default()
            },
            ..Attempt::default()
        }
    }

    fn finish(attempt: &Attempt) -> Finish {
        attempt.finish(3, str::to_owned)
    }

    #[test]
    fn a_success_has_no_reason_and_says_what_is_true_besides() {
        let mut attempt = concluded(None);
        attempt.verified.remarks = vec!["No commit was made.".into()];
        let finish = finish(&attempt);
        assert_eq!((finish.fence, finish.result), (3, FinishResult::Succeeded));
        assert_eq!((finish.failure_reason, finish.exit_code), (None, Some(0)));
        assert_eq!(finish.outcome.as_deref(), Some("Done.\n\nNo commit was made."));
    }

    #[test]
    fn a_failure_always_has_a_reason() {
        let finish = finish(&concluded(Some(FailureReason::HarnessTransient)));
        assert_eq!(finish.result, FinishResult::Failed);
        assert_eq!(finish.failure_reason.as_deref(), Some("harness-transient"));
    }

    #[test]
    fn a_success_that_delivered_nothing_is_a_failure() {
        let mut attempt = concluded(None);
        attempt.verified.missing = Some("pushing failed".into());
        let finish = finish(&attempt);
        assert_eq!(finish.result, FinishResult::Failed);
        assert_eq!(finish.failure_reason.as_deref(), Some("nothing-delivered"));
        assert_eq!(finish.failure_detail.as_deref(), Some("pushing failed"));
    }

    #[test]
    fn an_agent_that_gives_up_has_failed_in_its_own_words() {
        let mut attempt = concluded(None);
        attempt.gave_up = Some("the item contradicts itself".into());
        attempt.verified.missing = Some("no commit was made".into());
        let finish = finish(&attempt);
        assert_eq!(finish.failure_reason.as_deref(), Some("harness-failed"));
        assert_eq!(finish.failure_detail.as_deref(), Some("the item contradicts itself"));
    }

    #[test]
    fn what_a_failed_harness_says_of_itself_is_no_outcome() {
        let finish = finish(&concluded(Some(FailureReason::HarnessTransient)));
        assert_eq!(finish.outcome, None);
    }

    #[test]
    fn a_stop_counts_whatever_the_harness_reports() {
        for (reason, result) in
            [(Stop::Cancelled, FinishResult::Cancelled), (Stop::TimeLimit, FinishResult::TimedOut)]
        {
            for failure in [None, Some(FailureReason::HarnessCrashed)] {
                let mut attempt = concluded(failure);
                attempt.stopped = Some(reason);
                let finish = finish(&attempt);
                assert_eq!((finish.result, finish.failure_reason), (result, None));
            }
        }
    }
}

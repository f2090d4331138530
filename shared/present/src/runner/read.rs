//! What runners report, in the words of the use cases. A runner may be newer than this program: what it says in
//! words of its own is kept as well as it can be.

use std::time::Duration;

use jiff::Timestamp;
use svc_api::factory::{ChangedFile, LogStream, RunChanges, RunCommit, TokenCounts};
use svc_api::runner as wire;
use svc_app::factory::TakeRequest;
use svc_app::factory::log::{Line, Stream};
use svc_domain::failure::FailureReason;
use svc_domain::harness::Harness;
use svc_domain::pull_request::PullRequestState;
use svc_domain::refusal::{FieldErrors, Refusal};
use svc_domain::run::changes::{Changes, Commit, File};
use svc_domain::run::{Ending, Report, Tokens};
use svc_domain::runner::RunnerStatus;

use crate::words::{WireWord as _, check};

/// What a runner says of itself.
pub fn status(hello: wire::Hello, now: Timestamp) -> RunnerStatus {
    RunnerStatus {
        at: now,
        harnesses: each_once(hello.harnesses.into_iter().filter_map(|harness| harness.known())),
        client_version: Some(hello.client_version),
        platform: Some(hello.platform),
        machine_id: Some(hello.machine_id),
        label: hello.label,
        service: hello.service,
        parallel: hello.parallel,
        left: hello.leaving,
        disk_full: hello.disk_full,
    }
}

/// Harnesses without repetitions, of which a request could hold many thousands.
fn each_once(named: impl Iterator<Item = Harness>) -> Vec<Harness> {
    let mut harnesses = Vec::new();
    for harness in named {
        if !harnesses.contains(&harness) {
            harnesses.push(harness);
        }
    }
    harnesses
}

/// What a runner found of a pull request.
///
/// # Errors
/// A state that this program does not know.
pub fn pull_request_looked_up(
    found: wire::PullRequestLookedUp,
) -> Result<(PullRequestState, Option<String>), Refusal> {
    let mut errors = FieldErrors::default();
    let state = check("state", found.state, &mut errors);
    errors.into_result()?;
    // Without a state there are errors.
    Ok((state.unwrap_or(PullRequestState::Open), found.head))
}

/// Which run a runner asks for.
pub fn take(take: wire::Take) -> TakeRequest {
    TakeRequest {
        harnesses: each_once(take.harnesses.into_iter().filter_map(|harness| harness.known())),
        wait: Duration::from_secs(u64::from(take.wait_seconds)),
        request: take.request_id,
    }
}

/// A line of a run's log.
pub fn line(entry: wire::NewLogEntry) -> Line {
    // A stream that only a later program knows is at least something said about the run.
    let stream = LogStream::known(entry.stream).unwrap_or(Stream::Event);
    Line { at: entry.at, stream, text: entry.text }
}

/// What a run changed.
pub fn changes(changes: RunChanges) -> Changes {
    let file = |file: ChangedFile| File {
        path: file.path,
        previous_path: file.previous_path,
        additions: file.additions,
        deletions: file.deletions,
        in_patch: file.in_patch,
    };
    let commit = |commit: RunCommit| Commit { hash: commit.hash, title: commit.title };
    Changes {
        base: changes.base,
        head: changes.head,
        commits: changes.commits.into_iter().map(commit).collect(),
        commit_count: changes.commit_count,
        files: changes.files.into_iter().map(file).collect(),
        file_count: changes.file_count,
        additions: changes.additions,
        deletions: changes.deletions,
        patch: changes.patch.unwrap_or_default(),
        truncated: changes.truncated,
    }
}

/// How a run ended.
///
/// # Errors
/// A failure without its reason, or a result that this program does not know.
pub fn ending(finish: &wire::Finish) -> Result<Ending, Refusal> {
    match finish.result {
        wire::FinishResult::Succeeded => Ok(Ending::Succeeded),
        wire::FinishResult::TimedOut => Ok(Ending::TimedOut),
        wire::FinishResult::Cancelled => Ok(Ending::Cancelled { by: None }),
        wire::FinishResult::Failed => {
            let Some(word) = &finish.failure_reason else {
                return Err(Refusal::invalid("failureReason", "Say why the run failed."));
            };
            // A later runner may know more reasons: its sentence still says what was wrong.
            let reason = FailureReason::of_word(word).unwrap_or(FailureReason::HarnessFailed);
            Ok(Ending::Failed { reason, detail: finish.failure_detail.clone() })
        }
        wire::FinishResult::Unknown => {
            Err(Refusal::invalid("result", "Give one of succeeded, failed, timedOut, cancelled."))
        }
    }
}

/// Tokens that a run used.
pub const fn tokens(counts: TokenCounts) -> Tokens {
    Tokens {
        input: counts.input,
        output: counts.output,
        cache_read: counts.cache_read,
        cache_write: counts.cache_write,
    }
}

/// What came of a run.
pub fn report(finish: wire::Finish) -> Report {
    Report {
        outcome: finish.outcome,
        exit_code: finish.exit_code,
        pull_request: finish.pull_request,
        pushed_branch: finish.pushed_branch,
        cost: finish.cost,
        tokens: finish.tokens.map(tokens),
        session: finish.harness_session,
    }
}

//! `POST /runner/runs/{id}/finish`: a run is over.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::TokenCounts;
use svc_api::runner::{Finish, FinishResult};
use svc_app::App;
use svc_app::factory::progress;
use svc_domain::failure::FailureReason;
use svc_domain::refusal::Refusal;
use svc_domain::run::{Ending, Report, Tokens};
use svc_http::doc::{operation, refuses};
use svc_http::paths::RunPath;
use svc_http::problems::{ASSIGNMENT_ENDED, RUN_STATE};
use svc_http::{ApiResult, Body, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<RunPath>,
    Body(finish): Body<Finish>,
) -> ApiResult<NoContent> {
    let ending = ending(&finish)?;
    let fence = finish.fence;
    progress::finish(&app, caller.credential(), path.id, fence, &ending, &report(finish)).await?;
    Ok(NoContent)
}

fn ending(finish: &Finish) -> Result<Ending, Refusal> {
    match finish.result {
        FinishResult::Succeeded => Ok(Ending::Succeeded),
        FinishResult::TimedOut => Ok(Ending::TimedOut),
        FinishResult::Cancelled => Ok(Ending::Cancelled { by: None }),
        FinishResult::Failed => {
            let Some(word) = &finish.failure_reason else {
                return Err(Refusal::invalid("failureReason", "Say why the run failed."));
            };
            // A later runner may know more reasons: its sentence still says what was wrong.
            let reason = word.parse().unwrap_or(FailureReason::HarnessFailed);
            Ok(Ending::Failed { reason, detail: finish.failure_detail.clone() })
        }
        FinishResult::Unknown => {
            Err(Refusal::invalid("result", "The results are succeeded, failed, timedOut and cancelled."))
        }
    }
}

fn report(finish: Finish) -> Report {
    let tokens = |counts: TokenCounts| Tokens {
        input: counts.input,
        output: counts.output,
        cache_read: counts.cache_read,
        cache_write: counts.cache_write,
    };
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

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ASSIGNMENT_ENDED, RUN_STATE]);
    operation(
        op,
        "finishRun",
        "Runner",
        "Report that a run is over",
        "Links the pull request, leaves the outcome comment, releases the claim and tries the playbook's success \
         or failure state, all or nothing. Repeating it is harmless.",
    )
}

//! `POST /runner/runs/{id}/pull-request`: what became of the pull request that a follow-up goes on from.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::runner::PullRequestLookedUp;
use svc_app::App;
use svc_app::factory::deliveries;
use svc_http::doc::{operation, refuses};
use svc_http::paths::RunPath;
use svc_http::problems::ASSIGNMENT_ENDED;
use svc_http::{ApiResult, Body, Caller, NoContent, Path};
use svc_present::runner::read;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<RunPath>,
    Body(found): Body<PullRequestLookedUp>,
) -> ApiResult<NoContent> {
    let fence = found.fence;
    let found = read::pull_request_looked_up(found)?;
    deliveries::looked_up(&app, caller.credential(), path.id, fence, found).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ASSIGNMENT_ENDED]);
    operation(
        op,
        "pullRequestLookedUp",
        "Runner",
        "Report the state of a follow-up's pull request",
        "The item's link shows it, as if the code host had reported it. A merged pull request stays merged. Does \
        nothing if the run does not follow up on a pull request.",
    )
}

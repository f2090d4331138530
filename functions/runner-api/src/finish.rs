//! `POST /runner/runs/{id}/finish`: a run is over.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::runner::Finish;
use svc_app::App;
use svc_app::factory::progress;
use svc_http::doc::{operation, refuses};
use svc_http::paths::RunPath;
use svc_http::problems::{ASSIGNMENT_ENDED, RUN_STATE};
use svc_http::{ApiResult, Body, Caller, NoContent, Path};
use svc_present::runner::read;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<RunPath>,
    Body(finish): Body<Finish>,
) -> ApiResult<NoContent> {
    let ending = read::ending(&finish)?;
    let fence = finish.fence;
    progress::finish(&app, caller.credential(), path.id, fence, &ending, &read::report(finish)).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ASSIGNMENT_ENDED, RUN_STATE]);
    operation(
        op,
        "finishRun",
        "Runner",
        "Report that a run is over",
        "Links the pull request, writes the outcome comment, releases the claim and tries to move the item \
         to the playbook's success or failure state, all or nothing. Repeating it is harmless.",
    )
}

//! `POST /runner/runs/{id}/give-back`: a runner cannot begin a run now.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::runner::GiveBack;
use svc_app::App;
use svc_app::factory::progress;
use svc_http::doc::{operation, refuses};
use svc_http::paths::RunPath;
use svc_http::problems::{ASSIGNMENT_ENDED, RUN_STATE};
use svc_http::{ApiResult, Body, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<RunPath>,
    Body(back): Body<GiveBack>,
) -> ApiResult<NoContent> {
    progress::give_back(&app, caller.credential(), path.id, back.fence, &back.reason).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ASSIGNMENT_ENDED, RUN_STATE]);
    operation(
        op,
        "giveRunBack",
        "Runner",
        "Give a run back to its queue",
        "For a run whose harness has not started. Ends the assignment.",
    )
}

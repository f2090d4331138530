//! `POST /runner/runs/{id}/start`: the harness of a run started.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::runner::{HeartbeatReply, Started};
use svc_app::App;
use svc_app::factory::progress;
use svc_http::doc::{operation, refuses};
use svc_http::paths::RunPath;
use svc_http::problems::{ASSIGNMENT_ENDED, RUN_STATE};
use svc_http::{ApiResult, Body, Caller, Json, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<RunPath>,
    Body(started): Body<Started>,
) -> ApiResult<Json<HeartbeatReply>> {
    let session = started.harness_session.as_deref();
    let cancel = progress::started(&app, caller.credential(), path.id, started.fence, session).await?;
    Ok(Json(HeartbeatReply { cancel }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ASSIGNMENT_ENDED, RUN_STATE]);
    operation(
        op,
        "runStarted",
        "Runner",
        "Report that the harness started",
        "The run's status becomes `running`. Repeating it is harmless.",
    )
}

//! `POST /runner/runs/{id}/heartbeat`: a run goes on.

use std::sync::Arc;
use std::time::Duration;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::runner::{Heartbeat, HeartbeatReply};
use svc_app::App;
use svc_app::factory::progress::{self, UsedSoFar};
use svc_http::doc::{operation, refuses};
use svc_http::paths::RunPath;
use svc_http::problems::{ASSIGNMENT_ENDED, RUN_STATE};
use svc_http::{ApiResult, Body, Caller, Held, Json, Path};
use svc_present::runner::read;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    _held: Held,
    Path(path): Path<RunPath>,
    Body(sign): Body<Heartbeat>,
) -> ApiResult<Json<HeartbeatReply>> {
    let wait = Duration::from_secs(sign.wait_seconds.unwrap_or_default().into());
    let used = UsedSoFar { tokens: sign.tokens.map(read::tokens), cost: sign.cost };
    let cancel = progress::heartbeat(&app, caller.credential(), path.id, sign.fence, (&used, wait)).await?;
    Ok(Json(HeartbeatReply { cancel }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ASSIGNMENT_ENDED, RUN_STATE]);
    operation(
        op,
        "runHeartbeat",
        "Runner",
        "Report that a run is alive",
        "Also keeps the item's claim fresh. `cancel` says that a person stopped the run or that it exceeded its \
        budget: stop the harness, then report the finish. With `waitSeconds`, the answer is held until somebody \
        stops the run or the time is over.",
    )
}

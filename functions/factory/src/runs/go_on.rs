//! `POST …/runs/{id}/continue`: goes on with a run that failed.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::Run;
use svc_app::App;
use svc_app::factory::follow;
use svc_http::doc::{operation, refuses};
use svc_http::problems::{DELETED, FACTORY_NOT_PERMITTED, ITEM_CLAIMED, LIVE_RUN, RUN_STATE};
use svc_http::{ApiResult, Caller, CreatedAt, Path};

use super::{RunAddress, created};

pub(crate) async fn handler<P: RunAddress>(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<P>,
) -> ApiResult<CreatedAt<Run>> {
    let run = follow::continue_by_hand(&app, caller.credential(), path.org(), path.run()).await?;
    Ok(created(run))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[DELETED, FACTORY_NOT_PERMITTED, ITEM_CLAIMED, LIVE_RUN, RUN_STATE]);
    operation(
        op,
        "continueRun",
        "Runs",
        "Continue a run",
        "For factory operators. The item's latest run, if it failed or ran out of time after its harness had \
        started, continues on the same runner, in the same session, with its full time limit. If the session cannot \
        be resumed, the new run fails with `session-unavailable`.",
    )
}

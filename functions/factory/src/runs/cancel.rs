//! `POST …/runs/{id}/cancel`: stops a run.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::Run;
use svc_app::App;
use svc_app::factory::runs;
use svc_http::doc::{operation, refuses};
use svc_http::problems::{FACTORY_NOT_PERMITTED, RUN_ENDED};
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::view;

use super::RunAddress;

pub(crate) async fn handler<P: RunAddress>(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<P>,
) -> ApiResult<Json<Run>> {
    let run = runs::cancel(&app, caller.credential(), path.org(), path.run()).await?;
    Ok(Json(view::run(run)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED, RUN_ENDED]);
    operation(
        op,
        "cancelRun",
        "Runs",
        "Cancel a run",
        "For factory operators. The run is cancelled at once, whatever its harness reports later; the runner stops \
        the harness. Answers 409 `run-ended` when the run is over.",
    )
}

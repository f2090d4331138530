//! `GET …/runs/{id}`: a run.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::Run;
use svc_app::App;
use svc_app::factory::runs;
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::view;

use super::RunAddress;

pub(crate) async fn handler<P: RunAddress>(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<P>,
) -> ApiResult<Json<Run>> {
    let run = runs::view(&app, caller.credential(), path.org(), path.run()).await?;
    Ok(Json(view::run(run)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getRun",
        "Runs",
        "View a run",
        "For everyone who can see the item. Only factory operators get the prompt, the failure reason and \
         the harness session.",
    )
}

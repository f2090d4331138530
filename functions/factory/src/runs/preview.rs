//! `POST …/items/{key}/runs/preview`: what starting a run would do.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{RunPreview, StartRun};
use svc_app::{App, factory};
use svc_http::doc::{operation, refuses};
use svc_http::paths::ItemPath;
use svc_http::problems::{FACTORY_NOT_PERMITTED, ITEM_CLAIMED, LIVE_RUN};
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::factory::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ItemPath>,
    Body(start): Body<StartRun>,
) -> ApiResult<Json<RunPreview>> {
    let start = read::start_run(start)?;
    let forecast = factory::forecast(&app, caller.at(&path.slug), &path.key, &start).await?;
    Ok(Json(view::run_preview(forecast)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED, ITEM_CLAIMED, LIVE_RUN]);
    operation(
        op,
        "previewRun",
        "Runs",
        "Preview a run",
        "The run that would be queued, and whether a runner would take it at once, and which, or what it would wait \
        for. Answers the same errors as starting the run. Nothing is saved.",
    )
}

//! `POST …/projects/{key}/items/bulk`: changes or moves many items.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::Problem;
use svc_api::tracker::{BulkChange, BulkOutcome, BulkResult};
use svc_app::tracker::{ItemDetails, bulk};
use svc_app::{App, Error};
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Body, Caller, Json, Path, current_trace_id, problem_of};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(wanted): Body<BulkChange>,
) -> ApiResult<Json<BulkResult>> {
    let (items, change) = read::bulk(wanted)?;
    let outcomes = bulk::change(&app, caller.at(&path.slug), &path.key, items, &change).await?;
    Ok(Json(BulkResult { results: outcomes.into_iter().map(outcome).collect() }))
}

fn outcome((key, outcome): (String, Result<ItemDetails, Error>)) -> BulkOutcome {
    let problem = |error| Problem { trace_id: current_trace_id(), ..problem_of(&error) };
    view::outcome(key, outcome.map_err(problem))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "changeItems",
        "Items",
        "Change or move many items",
        "Applies one change to up to 100 items. Each item succeeds or fails by itself: for each one the \
         answer has the item or the problem, such as `stale-version`.",
    )
}

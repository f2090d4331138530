//! `GET …/runs`: the runs of an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::Page;
use svc_api::factory::{Run, RunQuery};
use svc_app::App;
use svc_app::factory::runs;
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Paging, Path, Query};
use svc_present::factory::{read, view};

use super::slice;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Query(query): Query<RunQuery>,
) -> ApiResult<Json<Page<Run>>> {
    let paging = Paging::clamp(query.page, query.page_size);
    let filter = read::run_filter(&query)?;
    let (runs, total) = runs::list(&app, caller.at(&path.slug), &filter, slice(paging)).await?;
    Ok(Json(paging.of(runs.into_iter().map(view::run).collect(), total)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listRuns",
        "Runs",
        "List runs",
        "Newest first, of items that the caller can see. `status` is one of the states of a run.",
    )
}

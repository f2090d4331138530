//! `GET …/runs/{id}`: a run.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::Run;
use svc_app::App;
use svc_app::factory::runs;
use svc_domain::ids::RunId;
use svc_http::doc::operation;
use svc_http::paths::{OrgIdPath, RunPath};
use svc_http::{ApiResult, Caller, Json, Path};

use crate::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<RunId>>,
) -> ApiResult<Json<Run>> {
    let run = runs::view(&app, caller.credential(), Some(&path.slug), path.id).await?;
    Ok(Json(view::run(run)))
}

pub(crate) async fn short(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<RunPath>,
) -> ApiResult<Json<Run>> {
    Ok(Json(view::run(runs::view(&app, caller.credential(), None, path.id).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getRun",
        "Runs",
        "View a run",
        "For everyone who can see the item. Prompt, failure reason and harness session are there for factory \
         operators only.",
    )
}

pub(crate) fn short_docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getRunById",
        "Runs",
        "View a run, by its id alone",
        "The same without naming the organization.",
    )
}

//! `GET …/projects/{key}/workflow`: the workflow of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Workflow;
use svc_app::App;
use svc_app::tracker::workflow;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Json<Workflow>> {
    let found = workflow::get(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(view::workflow(found)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getWorkflow",
        "Projects",
        "View the workflow",
        "The states in board order, and the moves between them.",
    )
}

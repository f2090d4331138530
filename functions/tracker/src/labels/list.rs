//! `GET …/projects/{key}/labels`: the labels of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Label;
use svc_app::App;
use svc_app::tracker::labels;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Json<Vec<Label>>> {
    let labels = labels::list(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(labels.into_iter().map(view::label).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listLabels",
        "Projects",
        "List labels",
        "By name. Labels that items carry without a definition are listed with version 0.",
    )
}

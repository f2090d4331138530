//! `GET /orgs/{slug}/projects/{key}`: a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Project;
use svc_app::App;
use svc_app::tracker::projects;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Json<Project>> {
    let project = projects::get(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(view::project(project)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getProject",
        "Projects",
        "View a project",
        "Answers 404 unless the caller may see the project.",
    )
}

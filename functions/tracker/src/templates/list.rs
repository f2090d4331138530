//! `GET …/projects/{key}/templates`: the ticket templates of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Template;
use svc_app::App;
use svc_app::tracker::templates;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Json<Vec<Template>>> {
    let templates = templates::list(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(templates.into_iter().map(view::template).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listTemplates",
        "Projects",
        "List ticket templates",
        "For everyone who sees the project. A project begins with Bug report and User story.",
    )
}

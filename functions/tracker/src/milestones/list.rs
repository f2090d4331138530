//! `GET …/projects/{key}/milestones`: the milestones of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Milestone;
use svc_app::App;
use svc_app::tracker::milestones;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Json<Vec<Milestone>>> {
    let milestones = milestones::list(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(milestones.into_iter().map(view::milestone).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listMilestones",
        "Milestones",
        "List milestones",
        "Open milestones by due day, then closed ones, last closed first; at most 200.",
    )
}

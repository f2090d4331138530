//! `GET …/projects/{key}/milestones/{id}`: a milestone.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Milestone;
use svc_app::App;
use svc_app::tracker::milestones;
use svc_domain::ids::MilestoneId;
use svc_http::doc::operation;
use svc_http::paths::ProjectIdPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<MilestoneId>>,
) -> ApiResult<Json<Milestone>> {
    let milestone = milestones::get(&app, caller.at(&path.slug), &path.key, path.id).await?;
    Ok(Json(view::milestone(milestone)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(op, "getMilestone", "Milestones", "View a milestone", "For everyone who sees the project.")
}

//! `GET /orgs/{slug}/sprints/{id}/burndown`: how a sprint's work went, day by day.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Burndown;
use svc_app::App;
use svc_app::tracker::sprints;
use svc_domain::ids::SprintId;
use svc_http::doc::operation;
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<SprintId>>,
) -> ApiResult<Json<Burndown>> {
    let burndown = sprints::burndown(&app, caller.at(&path.slug), path.id).await?;
    Ok(Json(view::burndown(burndown)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getBurndown",
        "Sprints",
        "View a sprint's burndown",
        "The effort left at the end of each day, and what was added to the sprint and removed from it.",
    )
}

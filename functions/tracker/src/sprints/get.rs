//! `GET /orgs/{slug}/sprints/{id}`: a sprint.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Sprint;
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
) -> ApiResult<Json<Sprint>> {
    let sprint = sprints::get(&app, caller.at(&path.slug), path.id).await?;
    Ok(Json(view::sprint(sprint)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "getSprint",
        "Sprints",
        "View a sprint",
        "Includes the work in it now or, for a completed sprint, at its end.",
    )
}

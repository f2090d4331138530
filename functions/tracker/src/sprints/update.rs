//! `PATCH /orgs/{slug}/sprints/{id}`: changes a sprint.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Sprint, UpdateSprint};
use svc_app::App;
use svc_app::tracker::sprints;
use svc_domain::ids::SprintId;
use svc_http::doc::{operation, refuses};
use svc_http::paths::OrgIdPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<SprintId>>,
    Body(update): Body<UpdateSprint>,
) -> ApiResult<Json<Sprint>> {
    let update = read::update_sprint(update);
    let sprint = sprints::update(&app, caller.at(&path.slug), path.id, &update).await?;
    Ok(Json(view::sprint(sprint)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "updateSprint",
        "Sprints",
        "Change a sprint",
        "Absent fields stay as they are; `null` clears a field. A completed sprint cannot be changed.",
    )
}

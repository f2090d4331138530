//! `POST /orgs/{slug}/sprints/{id}/start`: starts a planned sprint.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Sprint, StartSprint};
use svc_app::App;
use svc_app::tracker::sprints;
use svc_domain::ids::SprintId;
use svc_http::doc::operation;
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<SprintId>>,
    Body(start): Body<StartSprint>,
) -> ApiResult<Json<Sprint>> {
    let sprint = sprints::start(&app, caller.at(&path.slug), path.id, start.version).await?;
    Ok(Json(view::sprint(sprint)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "startSprint",
        "Sprints",
        "Start a sprint",
        "A team has at most one active sprint: of two started at once, the second gets 409. `sprint:current` means \
         the active sprints of all teams.",
    )
}

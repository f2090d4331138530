//! `PATCH /orgs/{slug}/projects/{key}`: changes, archives or revives a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Project, UpdateProject};
use svc_app::App;
use svc_app::tracker::projects;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(update): Body<UpdateProject>,
) -> ApiResult<Json<Project>> {
    let UpdateProject { version, name, description, archived } = update;
    let update = projects::UpdateProject { version, name, description, archived };
    let project = projects::update(&app, caller.at(&path.slug), &path.key, &update).await?;
    Ok(Json(view::project(project)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "updateProject",
        "Projects",
        "Change, archive or revive a project",
        "For Admins of the project, and Owners and Admins of the organization. An archived project is \
         read-only: the only change it accepts is being revived.",
    )
}

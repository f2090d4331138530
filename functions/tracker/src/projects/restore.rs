//! `POST /orgs/{slug}/projects/{key}/restore`: restores a deleted project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Project;
use svc_app::App;
use svc_app::tracker::project_deletion;
use svc_domain::identity::Scope;
use svc_http::doc::{operation, refuses, scope};
use svc_http::paths::ProjectPath;
use svc_http::problems::DELETED;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Json<Project>> {
    let project = project_deletion::restore(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(view::project(project)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(refuses(op, &[DELETED]), Some(Scope::Admin));
    operation(
        op,
        "restoreProject",
        "Projects",
        "Restore a project",
        "For Owners and Admins of the organization, for 30 days. Everything in it is restored; cancelled runs stay \
        cancelled. Restoring it again changes nothing.",
    )
}

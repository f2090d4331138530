//! `GET /orgs/{slug}/projects`: the projects that the caller can see.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Project, ProjectQuery};
use svc_app::App;
use svc_app::tracker::{project_deletion, projects};
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Query(query): Query<ProjectQuery>,
) -> ApiResult<Json<Vec<Project>>> {
    let (caller, archived) = (caller.at(&path.slug), query.archived.unwrap_or(false));
    let projects = match query.deleted.unwrap_or(false) {
        true => project_deletion::list(&app, caller).await?,
        false => projects::list(&app, caller, archived).await?,
    };
    Ok(Json(projects.into_iter().map(view::project).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listProjects",
        "Projects",
        "List projects",
        "By key. Owners and Admins see all projects, other people see the projects they are members of, and \
         the agent of a run sees the run's project.",
    )
}

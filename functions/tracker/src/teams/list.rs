//! `GET …/projects/{key}/teams`: the teams of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Team;
use svc_app::App;
use svc_app::tracker::teams;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Json<Vec<Team>>> {
    let teams = teams::list(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(teams.into_iter().map(view::team).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "listTeams",
        "Teams",
        "List the teams of a project",
        "By key. A new project has one team, with the project's key and name.",
    )
}

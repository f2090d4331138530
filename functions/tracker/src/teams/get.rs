//! `GET …/teams/{team}`: a team, by key or id.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Team;
use svc_app::App;
use svc_app::tracker::teams;
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::tracker::view;

use crate::teams::TeamPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<TeamPath>,
) -> ApiResult<Json<Team>> {
    let team = teams::get(&app, caller.at(&path.slug), &path.key, &path.team).await?;
    Ok(Json(view::team(team)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(op, "getTeam", "Teams", "View a team", "People who leave the project leave its teams too.")
}

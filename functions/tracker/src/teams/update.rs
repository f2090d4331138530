//! `PATCH …/teams/{team}`: renames, fills, archives or revives a team.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Team, UpdateTeam};
use svc_app::App;
use svc_app::tracker::teams;
use svc_http::doc::{operation, refuses};
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::tracker::view;

use crate::teams::TeamPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<TeamPath>,
    Body(update): Body<UpdateTeam>,
) -> ApiResult<Json<Team>> {
    let UpdateTeam { version, name, archived, members } = update;
    let update = teams::UpdateTeam { version, name, archived, members };
    let team = teams::update(&app, caller.at(&path.slug), &path.key, &path.team, &update).await?;
    Ok(Json(view::team(team)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "updateTeam",
        "Teams",
        "Change, archive or revive a team",
        "For Admins of the project. A team with planned or active sprints cannot be archived. An archived \
         team cannot plan sprints.",
    )
}

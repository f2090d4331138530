//! `DELETE …/teams/{team}`: deletes a team that never had sprints.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::tracker::teams;
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, NoContent, Path};

use crate::teams::TeamPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<TeamPath>,
) -> ApiResult<NoContent> {
    teams::delete(&app, caller.at(&path.slug), &path.key, &path.team).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "deleteTeam",
        "Teams",
        "Delete a team",
        "For Admins of the project. A team that has sprints, even completed ones, can only be archived.",
    )
}

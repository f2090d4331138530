//! `DELETE /orgs/{slug}/sprints/{id}`: deletes a planned sprint.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::tracker::sprints;
use svc_domain::ids::SprintId;
use svc_http::doc::operation;
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<SprintId>>,
) -> ApiResult<NoContent> {
    sprints::delete(&app, caller.at(&path.slug), path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "deleteSprint",
        "Sprints",
        "Delete a sprint",
        "Only a planned sprint can be deleted; its items go to the backlog. Complete a sprint that was \
         started.",
    )
}

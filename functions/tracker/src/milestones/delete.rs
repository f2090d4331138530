//! `DELETE …/projects/{key}/milestones/{id}`: deletes a milestone.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::tracker::milestones;
use svc_domain::ids::MilestoneId;
use svc_http::doc::operation;
use svc_http::paths::ProjectIdPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<MilestoneId>>,
) -> ApiResult<NoContent> {
    milestones::delete(&app, caller.at(&path.slug), &path.key, path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "deleteMilestone",
        "Milestones",
        "Delete a milestone",
        "Its items stay, without a milestone. In a large project, some items follow a few seconds later.",
    )
}

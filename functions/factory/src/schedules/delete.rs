//! `DELETE …/schedules/{id}`: deletes a schedule.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::factory::schedules;
use svc_domain::ids::ScheduleId;
use svc_http::doc::operation;
use svc_http::paths::ProjectIdPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<ScheduleId>>,
) -> ApiResult<NoContent> {
    schedules::delete(&app, caller.at(&path.slug), &path.key, path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        op,
        "deleteSchedule",
        "Schedules",
        "Delete a schedule",
        "For Admins of the project. Its items and runs stay.",
    )
}

//! `PATCH …/schedules/{id}`: changes a schedule.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{Schedule, UpdateSchedule};
use svc_app::App;
use svc_app::factory::schedules;
use svc_domain::ids::ScheduleId;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectIdPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::factory::schedules as shown;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<ScheduleId>>,
    Body(change): Body<UpdateSchedule>,
) -> ApiResult<Json<Schedule>> {
    let edit = shown::schedule_edit(change)?;
    let schedule = schedules::update(&app, caller.at(&path.slug), &path.key, path.id, &edit).await?;
    Ok(Json(shown::schedule(schedule)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    operation(
        op,
        "updateSchedule",
        "Schedules",
        "Change, pause or resume a schedule",
        "For Admins of the project. Its runs then start with the caller's rights.",
    )
}

//! `POST …/schedule-preview`: when a cron expression is due.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{PreviewSchedule, SchedulePreview};
use svc_app::App;
use svc_app::factory::schedules;
use svc_domain::identity::Scope;
use svc_http::doc::{operation, refuses, scope};
use svc_http::paths::ProjectPath;
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::factory::schedules as shown;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(asked): Body<PreviewSchedule>,
) -> ApiResult<Json<SchedulePreview>> {
    let (cron, zone) = shown::preview(asked);
    let next_runs = schedules::preview(&app, caller.at(&path.slug), &path.key, &cron, &zone).await?;
    Ok(Json(SchedulePreview { next_runs }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    let op = scope(op, Some(Scope::Read));
    operation(
        op,
        "previewSchedule",
        "Schedules",
        "Preview a cron expression",
        "The next three due times. Nothing is saved.",
    )
}

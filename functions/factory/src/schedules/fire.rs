//! `POST …/schedules/{id}/fire`: fires a schedule now.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::ScheduleFiring;
use svc_app::App;
use svc_app::factory::schedules;
use svc_domain::ids::ScheduleId;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectIdPath;
use svc_http::problems::{CONFLICT, FACTORY_NOT_PERMITTED, LIVE_RUN};
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::schedules as shown;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<ScheduleId>>,
) -> ApiResult<Json<ScheduleFiring>> {
    let firing = schedules::fire_now(&app, caller.at(&path.slug), &path.key, path.id).await?;
    Ok(Json(shown::firing(firing)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[CONFLICT, FACTORY_NOT_PERMITTED, LIVE_RUN]);
    operation(
        op,
        "fireSchedule",
        "Schedules",
        "Fire a schedule now",
        "For Admins of the project who are factory operators; works even while the schedule is paused. Its due times \
        stay as they are. Answers 409 while its last item has a live run.",
    )
}

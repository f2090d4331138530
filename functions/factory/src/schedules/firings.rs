//! `GET …/schedules/{id}/firings`: what a schedule did.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::ScheduleFiring;
use svc_app::App;
use svc_app::factory::schedules;
use svc_domain::ids::ScheduleId;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectIdPath;
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::schedules as shown;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectIdPath<ScheduleId>>,
) -> ApiResult<Json<Vec<ScheduleFiring>>> {
    let firings = schedules::firings(&app, caller.at(&path.slug), &path.key, path.id).await?;
    Ok(Json(firings.into_iter().map(shown::firing).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "listScheduleFirings",
        "Schedules",
        "List schedule firings",
        "The latest 100 in the last 90 days, newest first: the run that each started, or why it started none.",
    )
}

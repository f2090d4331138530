//! `GET …/schedules`: the schedules of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::Schedule;
use svc_app::App;
use svc_app::factory::schedules;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::FACTORY_NOT_PERMITTED;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::schedules as shown;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Json<Vec<Schedule>>> {
    let all = schedules::list(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(all.into_iter().map(shown::schedule).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FACTORY_NOT_PERMITTED]);
    operation(
        op,
        "listSchedules",
        "Schedules",
        "List schedules",
        "Oldest first. For factory operators and Admins of the project.",
    )
}

//! `GET …/projects/{key}/intakes`: the intakes of a project.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::Intake;
use svc_app::App;
use svc_app::tracker::intakes;
use svc_http::doc::operation;
use svc_http::paths::ProjectPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::intakes::intake;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
) -> ApiResult<Json<Vec<Intake>>> {
    let all = intakes::list(&app, caller.at(&path.slug), &path.key).await?;
    Ok(Json(all.into_iter().map(intake).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(op, "listIntakes", "Intakes", "List intakes", "For Admins of the project, without addresses.")
}

//! `PATCH …/projects/{key}/intakes/{id}`: changes an intake.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{Intake, UpdateIntake};
use svc_app::App;
use svc_app::tracker::intakes;
use svc_http::doc::{operation, refuses};
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::intakes::{edit, intake};

use super::IntakePath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<IntakePath>,
    Body(change): Body<UpdateIntake>,
) -> ApiResult<Json<Intake>> {
    let version = change.version;
    let changed =
        intakes::update(&app, caller.at(&path.slug), &path.key, path.id, version, &edit(change)).await?;
    Ok(Json(intake(changed)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    let description = "For Admins of the project, for whom it makes items from then on.";
    operation(op, "updateIntake", "Intakes", "Change an intake", description)
}

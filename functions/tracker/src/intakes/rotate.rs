//! `POST …/projects/{key}/intakes/{id}/rotate`: gives an intake another address.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::IntakeWithAddress;
use svc_app::App;
use svc_app::tracker::intakes;
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::intakes::with_address;

use super::IntakePath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<IntakePath>,
) -> ApiResult<Json<IntakeWithAddress>> {
    let made = intakes::rotate(&app, caller.at(&path.slug), &path.key, path.id).await?;
    Ok(Json(with_address(made)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Admins of the project. The address before answers 404 at once.";
    operation(op, "rotateIntake", "Intakes", "Replace the address of an intake", description)
}

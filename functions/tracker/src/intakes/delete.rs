//! `DELETE …/projects/{key}/intakes/{id}`: deletes an intake.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::tracker::intakes;
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, NoContent, Path};

use super::IntakePath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<IntakePath>,
) -> ApiResult<NoContent> {
    intakes::delete(&app, caller.at(&path.slug), &path.key, path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Admins of the project. Its address answers 404 from now on; its items stay.";
    operation(op, "deleteIntake", "Intakes", "Delete an intake", description)
}

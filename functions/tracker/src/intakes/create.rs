//! `POST …/projects/{key}/intakes`: makes an intake.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::tracker::{IntakeWithAddress, NewIntake};
use svc_app::App;
use svc_app::tracker::intakes;
use svc_http::doc::{operation, refuses};
use svc_http::paths::ProjectPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Created, Path};
use svc_present::intakes::{new_intake, with_address};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<ProjectPath>,
    Body(new): Body<NewIntake>,
) -> ApiResult<Created<IntakeWithAddress>> {
    let made = intakes::create(&app, caller.at(&path.slug), &path.key, &new_intake(new)).await?;
    Ok(Created(with_address(made)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    let description = "For Admins of the project. The address is shown only once. Whoever has it can make items in the \
                       project, and nothing else.";
    operation(op, "createIntake", "Intakes", "Create an intake", description)
}

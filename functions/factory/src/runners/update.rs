//! `PATCH …/runners/{id}`: changes a runner.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{Runner, UpdateRunner};
use svc_app::App;
use svc_app::factory::runners::{self, RunnerEdit};
use svc_domain::identity::Scope;
use svc_domain::ids::RunnerId;
use svc_http::doc::{operation, refuses, scope};
use svc_http::paths::OrgIdPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<RunnerId>>,
    Body(change): Body<UpdateRunner>,
) -> ApiResult<Json<Runner>> {
    let edit = RunnerEdit { version: change.version, name: change.name, disabled: change.disabled };
    let runner = runners::update(&app, caller.at(&path.slug), path.id, &edit).await?;
    Ok(Json(view::runner(runner)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    let op = scope(op, Some(Scope::Admin));
    operation(
        op,
        "updateRunner",
        "Runners",
        "Change a runner",
        "For Owners and Admins. Requests with the secret of a disabled runner answer 401.",
    )
}

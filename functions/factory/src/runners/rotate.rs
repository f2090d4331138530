//! `POST …/runners/{id}/rotate`: replaces a runner's secret.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::RunnerSecret;
use svc_app::App;
use svc_app::factory::runners;
use svc_domain::identity::Scope;
use svc_domain::ids::RunnerId;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<RunnerId>>,
) -> ApiResult<Json<RunnerSecret>> {
    let (runner, secret) = runners::rotate(&app, caller.at(&path.slug), path.id).await?;
    Ok(Json(RunnerSecret { runner: view::runner(runner), secret }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    operation(
        op,
        "rotateRunner",
        "Runners",
        "Replace a runner's secret",
        "For Owners and Admins. Requests with the old secret answer 401 from now on.",
    )
}

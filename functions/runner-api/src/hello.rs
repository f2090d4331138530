//! `POST /runner/hello`: a runner introduces itself.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::runner::{Hello, HelloReply};
use svc_app::App;
use svc_app::factory::runner_entry;
use svc_http::doc::{operation, refuses};
use svc_http::problems::DELETED;
use svc_http::{ApiResult, Body, Caller, Json};
use svc_present::runner::read;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(hello): Body<Hello>,
) -> ApiResult<Json<HelloReply>> {
    let only_asks = hello.only_asks;
    let status = read::status(hello, app.now());
    let greeting = runner_entry::hello(&app, caller.credential(), &status, only_asks).await?;
    Ok(Json(HelloReply {
        runner_id: greeting.runner.id.to_string(),
        name: greeting.runner.name,
        organization: greeting.org.slug.to_string(),
        heartbeat_seconds: app.settings.automation.heartbeat_seconds,
        take_wait_seconds: app.settings.take_wait_seconds(),
        take_every_seconds: app.settings.take_every_seconds(),
    }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    operation(
        refuses(op, &[DELETED]),
        "runnerHello",
        "Runner",
        "Introduce a runner",
        "Answers the organization that the secret belongs to. With `leaving`, the runner is shown as offline at \
        once. With `onlyAsks`, nothing is noted of what it says. Answers 401 when the runner is disabled or deleted or its secret was rotated, and 410 while the \
        organization is deleted.",
    )
}

//! `POST …/runners`: creates a runner and its secret.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::{NewRunner, RunnerSecret};
use svc_app::App;
use svc_app::factory::runners;
use svc_domain::identity::Scope;
use svc_http::doc::{operation, refuses, scope};
use svc_http::paths::OrgPath;
use svc_http::problems::ALREADY_EXISTS;
use svc_http::{ApiResult, Body, Caller, Created, Path};
use svc_present::factory::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(new): Body<NewRunner>,
) -> ApiResult<Created<RunnerSecret>> {
    let (runner, secret) = runners::create(&app, caller.at(&path.slug), &new.name).await?;
    Ok(Created(RunnerSecret { runner: view::runner(runner), secret }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[ALREADY_EXISTS]);
    let op = scope(op, Some(Scope::Admin));
    operation(
        op,
        "createRunner",
        "Runners",
        "Create a runner",
        "For Owners and Admins. The secret starts with `jrn_`, works for this organization only, and is shown only \
         once: give it to `svc runner register --token`.",
    )
}

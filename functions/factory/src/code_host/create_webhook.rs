//! `POST …/code-host/webhook`: makes the organization's webhook.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::factory::NewWebhook;
use svc_app::App;
use svc_app::factory::webhook;
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<Json<NewWebhook>> {
    let made = webhook::create(&app, caller.at(&path.slug)).await?;
    Ok(Json(NewWebhook { url: made.url, secret: made.secret, created_at: made.webhook.created_at }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Owners and Admins. Creates the webhook through which GitHub, or a compatible host, \
    reports what happens to pull requests. The address and the secret are shown only once; a new webhook replaces \
    the earlier one. At the host, choose the content type `application/json` and the events pull requests, pull \
    request reviews, check runs and check suites. The reports appear in the items' `links`.";
    let op = scope(op, Some(Scope::Admin));
    operation(op, "createWebhook", "Code host", "Create the webhook", description)
}

//! `POST …/webhooks/{id}/test`: sends a test.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::webhooks::WebhookDelivery;
use svc_app::{App, webhooks};
use svc_domain::identity::Scope;
use svc_domain::ids::WebhookId;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::webhooks as present;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<WebhookId>>,
) -> ApiResult<Json<WebhookDelivery>> {
    let sent = webhooks::ping(&app, caller.at(&path.slug), path.id, present::payload).await?;
    Ok(Json(present::delivery(sent)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "For Owners and Admins. Sends a `ping` at once, also while the webhook is disabled, and answers \
        how it went. A test is not retried.";
    operation(op, "testOutboundWebhook", "Webhooks", "Test a webhook", description)
}

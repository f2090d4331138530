//! `GET …/webhooks/{id}`: a webhook.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::webhooks::OutboundWebhook;
use svc_app::{App, webhooks};
use svc_domain::ids::WebhookId;
use svc_http::doc::operation;
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::webhooks as present;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<WebhookId>>,
) -> ApiResult<Json<OutboundWebhook>> {
    Ok(Json(present::webhook(webhooks::get(&app, caller.at(&path.slug), path.id).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Owners and Admins. Its secret is not shown.";
    operation(op, "getOutboundWebhook", "Webhooks", "View a webhook", description)
}

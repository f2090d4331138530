//! `PATCH …/webhooks/{id}`: changes a webhook.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::webhooks::{OutboundWebhook, UpdateOutboundWebhook};
use svc_app::{App, webhooks};
use svc_domain::identity::Scope;
use svc_domain::ids::WebhookId;
use svc_http::doc::{operation, refuses, scope};
use svc_http::paths::OrgIdPath;
use svc_http::problems::STALE_VERSION;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::webhooks as present;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<WebhookId>>,
    Body(change): Body<UpdateOutboundWebhook>,
) -> ApiResult<Json<OutboundWebhook>> {
    let changed = webhooks::update(&app, caller.at(&path.slug), path.id, &present::edit(change)?).await?;
    Ok(Json(present::webhook(changed)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[STALE_VERSION]);
    let op = scope(op, Some(Scope::Admin));
    let description = "For Owners and Admins. The webhook sends what the caller may see from then on.";
    operation(op, "updateOutboundWebhook", "Webhooks", "Change, disable or enable a webhook", description)
}

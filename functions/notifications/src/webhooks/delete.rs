//! `DELETE …/webhooks/{id}`: deletes a webhook.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::{App, webhooks};
use svc_domain::identity::Scope;
use svc_domain::ids::WebhookId;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<WebhookId>>,
) -> ApiResult<NoContent> {
    webhooks::delete(&app, caller.at(&path.slug), path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "For Owners and Admins. What it has not sent yet is not sent any more.";
    operation(op, "deleteOutboundWebhook", "Webhooks", "Delete a webhook", description)
}

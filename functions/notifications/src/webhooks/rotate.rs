//! `POST …/webhooks/{id}/rotate`: gives a webhook a new secret.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::webhooks::WebhookWithSecret;
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
) -> ApiResult<Json<WebhookWithSecret>> {
    Ok(Json(present::with_secret(webhooks::rotate(&app, caller.at(&path.slug), path.id).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "For Owners and Admins. The new secret is shown only in this answer. For 24 hours deliveries \
        carry a signature by each of the two secrets.";
    operation(op, "rotateOutboundWebhookSecret", "Webhooks", "Rotate the secret of a webhook", description)
}

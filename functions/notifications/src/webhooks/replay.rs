//! `POST …/webhooks/{id}/deliveries/{delivery}/replay`: sends a delivery again.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::webhooks::WebhookDelivery;
use svc_app::{App, webhooks};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, refuses, scope};
use svc_http::problems::CONFLICT;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::webhooks as present;

use super::paths::DeliveryPath;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<DeliveryPath>,
) -> ApiResult<Json<WebhookDelivery>> {
    let waits = webhooks::replay(&app, caller.at(&path.slug), path.id, path.delivery).await?;
    Ok(Json(present::delivery(waits)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[CONFLICT]);
    let op = scope(op, Some(Scope::Admin));
    let description =
        "For Owners and Admins. It is sent under the same `webhook-id`, with what it is about as it is now.";
    operation(op, "replayWebhookDelivery", "Webhooks", "Send a delivery again", description)
}

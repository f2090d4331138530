//! `GET …/webhooks/{id}/deliveries`: what a webhook sent.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::webhooks::{WebhookDelivery, WebhookDeliveryQuery};
use svc_app::{App, webhooks};
use svc_domain::ids::WebhookId;
use svc_http::doc::operation;
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, Json, Path, Query};
use svc_present::webhooks as present;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<WebhookId>>,
    Query(query): Query<WebhookDeliveryQuery>,
) -> ApiResult<Json<Vec<WebhookDelivery>>> {
    let before = present::before(query)?;
    let deliveries = webhooks::deliveries(&app, caller.at(&path.slug), path.id, before).await?;
    Ok(Json(deliveries.into_iter().map(present::delivery).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Owners and Admins. The latest 50, newest first; `before` with the id of the last one goes on. \
        They are kept for 30 days.";
    operation(op, "listWebhookDeliveries", "Webhooks", "List deliveries of a webhook", description)
}

//! `GET …/webhooks`: the webhooks of an organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::webhooks::OutboundWebhook;
use svc_app::{App, webhooks};
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::webhooks as present;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<Json<Vec<OutboundWebhook>>> {
    let webhooks = webhooks::list(&app, caller.at(&path.slug)).await?;
    Ok(Json(webhooks.into_iter().map(present::webhook).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Owners and Admins. Secrets are not shown.";
    operation(op, "listOutboundWebhooks", "Webhooks", "List webhooks", description)
}

//! `DELETE …/code-host/webhook`: deletes the organization's webhook.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::App;
use svc_app::factory::webhook;
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<NoContent> {
    webhook::delete(&app, caller.at(&path.slug)).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "For Owners and Admins. Deliveries to it are answered 404 from now on.";
    operation(op, "deleteWebhook", "Code host", "Delete the webhook", description)
}

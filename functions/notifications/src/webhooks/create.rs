//! `POST …/webhooks`: makes a webhook.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::webhooks::{NewOutboundWebhook, WebhookWithSecret};
use svc_app::{App, webhooks};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, refuses, scope};
use svc_http::paths::OrgPath;
use svc_http::problems::CONFLICT;
use svc_http::{ApiResult, Body, Caller, CreatedOnce, Path};
use svc_present::webhooks as present;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(new): Body<NewOutboundWebhook>,
) -> ApiResult<CreatedOnce<WebhookWithSecret>> {
    let made = webhooks::create(&app, caller.at(&path.slug), &present::new_webhook(new)?).await?;
    let address = format!("/orgs/{}/webhooks/{}", path.slug, made.webhook.webhook.id);
    Ok(CreatedOnce(address, present::with_secret(made)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[CONFLICT]);
    let op = scope(op, Some(Scope::Admin));
    let description = "For Owners and Admins. Each event is sent as a POST that is signed by Standard Webhooks \
        (`webhook-id`, `webhook-timestamp`, `webhook-signature`); the secret is shown only in this answer. The webhook \
        sends what its Admin may see, as it is when it is sent; what agents say and why runs failed only with `agentsWork`. \
        An answer other than 2xx is retried for about a day. An organization has at most 20 webhooks.";
    operation(op, "createOutboundWebhook", "Webhooks", "Create a webhook", description)
}

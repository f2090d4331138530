//! `GET /me/push-subscriptions`: the browsers in which the caller is told.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::PushSubscriptions;
use svc_app::{App, notifications};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json};
use svc_present::notifications::push::browsers;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
) -> ApiResult<Json<PushSubscriptions>> {
    Ok(Json(browsers(notifications::browsers(&app, caller.credential()).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Browsers in which the caller turned on notifications and is still signed in, and the key with which \
        a browser subscribes.";
    operation(op, "listPushSubscriptions", "Notifications", "List browsers that are told", description)
}

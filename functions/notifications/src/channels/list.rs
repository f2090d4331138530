//! `GET /me/notification-channels`: the channels of the caller.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::NotificationChannels;
use svc_app::{App, notifications};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json};
use svc_present::notifications::channels::channels;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
) -> ApiResult<Json<NotificationChannels>> {
    let listed = notifications::channels(&app, caller.credential()).await?;
    Ok(Json(channels(&app.settings, listed)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "At most one channel on each platform. Addresses and ids of chats are never shown.";
    operation(op, "listNotificationChannels", "Notifications", "List channels", description)
}

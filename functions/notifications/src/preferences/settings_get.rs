//! `GET /me/notification-settings`: when digests are sent and what is muted.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::NotificationSettings;
use svc_app::{App, notifications};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json};
use svc_present::notifications::preferences::settings;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
) -> ApiResult<Json<NotificationSettings>> {
    Ok(Json(settings(&notifications::in_force(&app, caller.credential()).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "When the caller's digests are sent, what the caller does not want to hear of, and when the \
         caller is told of each kind as things are.";
    operation(
        op,
        "getNotificationSettings",
        "Notifications",
        "Get digest time, mutes and what is in force",
        description,
    )
}

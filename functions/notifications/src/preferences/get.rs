//! `GET /me/notification-preferences`: what the caller wants to be told of.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::NotificationPreference;
use svc_app::{App, notifications};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json};
use svc_present::notifications::preferences::preferences;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
) -> ApiResult<Json<Vec<NotificationPreference>>> {
    Ok(Json(preferences(&notifications::in_force(&app, caller.credential()).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "One entry for each kind. Where the caller said nothing, `email` is what their organizations \
         suggest alike, or the usual mode. A chat mode of `null` follows the organization's default, and then mail. \
         What is not in the inbox is sent nowhere.";
    operation(op, "listNotificationPreferences", "Notifications", "List preferences", description)
}

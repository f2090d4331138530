//! `GET /me/notifications/counts`: how much there is to look at.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::NotificationCounts;
use svc_app::{App, notifications};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json};
use svc_present::notifications::counts;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
) -> ApiResult<Json<NotificationCounts>> {
    Ok(Json(counts(notifications::counts(&app, caller.credential()).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Counts entries, not news. Entries that the caller is done with do not count.";
    operation(op, "countNotifications", "Notifications", "Count unread entries", description)
}

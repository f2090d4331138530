//! `GET /me/notifications`: the caller's inbox.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::{Notification, NotificationQuery};
use svc_app::{App, notifications};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json, Query};
use svc_present::notifications::{entry, filter};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(query): Query<NotificationQuery>,
) -> ApiResult<Json<Vec<Notification>>> {
    let entries = notifications::list(&app, caller.credential(), filter(query)?).await?;
    Ok(Json(entries.into_iter().map(entry).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Newest first: one entry for each item, sprint, page or invitation, which gathers what is new \
         about it. It has only what the caller may see now. Entries disappear 90 days after their last news, and of more than 1,000 the oldest, those first that the \
         caller was done with. \
         `after` and `afterId` name the last entry of a page, which the next one follows. \
         A token bound to one organization sees only entries of that organization.";
    operation(op, "listNotifications", "Notifications", "List the inbox", description)
}

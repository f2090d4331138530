//! `POST /me/notifications/read`: everything is read.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::{App, notifications};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, NoContent};

pub(crate) async fn handler(State(app): State<Arc<App>>, caller: Caller) -> ApiResult<NoContent> {
    notifications::mark_all(&app, caller.credential(), false).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description =
        "Marks every entry as read. News that come meanwhile stay unread. Repeating this is harmless.";
    operation(op, "readNotifications", "Notifications", "Mark everything as read", description)
}

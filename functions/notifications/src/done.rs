//! `POST /me/notifications/done`: everything is done.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::{App, notifications};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, NoContent};

pub(crate) async fn handler(State(app): State<Arc<App>>, caller: Caller) -> ApiResult<NoContent> {
    notifications::mark_all(&app, caller.credential(), true).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Marks every entry as read and done. Entries with news that come meanwhile stay as they are. Repeating this is harmless.";
    operation(op, "finishNotifications", "Notifications", "Mark everything as done", description)
}

//! `PATCH /me/notifications/{id}`: an entry is read, or done.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::{MarkNotification, Notification};
use svc_app::{App, notifications};
use svc_domain::ids::NotificationId;
use svc_http::doc::operation;
use svc_http::paths::IdPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::notifications::{entry, mark};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<IdPath<NotificationId>>,
    Body(body): Body<MarkNotification>,
) -> ApiResult<Json<Notification>> {
    let marked = notifications::mark(&app, caller.credential(), path.id, mark(body)).await?;
    Ok(Json(entry(marked)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "With a `version` that is not the current one nothing is marked: there is news since.";
    operation(op, "markNotification", "Notifications", "Mark an entry as read or done", description)
}

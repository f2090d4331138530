//! `GET /orgs/{slug}/notification-defaults`: what the organization suggests.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::NotificationDefault;
use svc_app::{App, notifications};
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::notifications::preferences::defaults;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<Json<Vec<NotificationDefault>>> {
    Ok(Json(defaults(&notifications::defaults(&app, caller.at(&path.slug)).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "What the organization suggests to members who have no preference of their own.";
    operation(
        op,
        "listNotificationDefaults",
        "Notifications",
        "List the organization's defaults",
        description,
    )
}

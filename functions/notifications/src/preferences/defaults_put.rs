//! `PUT /orgs/{slug}/notification-defaults`: replaces what the organization suggests.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::{NotificationDefault, NotificationDefaults};
use svc_app::{App, notifications};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::notifications::preferences::{defaults, read_defaults};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
    Body(body): Body<NotificationDefaults>,
) -> ApiResult<Json<Vec<NotificationDefault>>> {
    let kinds = read_defaults(&body.defaults)?;
    let written = notifications::set_defaults(&app, caller.at(&path.slug), &kinds).await?;
    Ok(Json(defaults(&written)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Owners and Admins. Replaces the set: kinds that are left out, or whose modes are all `null`, \
         have no default.";
    let op = scope(op, Some(Scope::Admin));
    operation(
        op,
        "setNotificationDefaults",
        "Notifications",
        "Replace the organization's defaults",
        description,
    )
}

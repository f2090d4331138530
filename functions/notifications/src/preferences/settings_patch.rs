//! `PATCH /me/notification-settings`: changes when digests are sent and what is muted.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::{ChangeNotificationSettings, NotificationSettings};
use svc_app::{App, notifications};
use svc_http::doc::operation;
use svc_http::{ApiResult, Body, Caller, Json};
use svc_present::notifications::preferences::{read_settings, settings};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(body): Body<ChangeNotificationSettings>,
) -> ApiResult<Json<NotificationSettings>> {
    let wanted = read_settings(body)?;
    let written = notifications::set_settings(&app, caller.credential(), &wanted).await?;
    Ok(Json(settings(&notifications::in_force_after(&app, caller.credential(), written).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Fields that are left out stay. `mutes` replaces the whole list. Of a muted item or project the \
         caller hears nothing; of a muted agent only when it needs the caller, fails or mentions them.";
    operation(op, "changeNotificationSettings", "Notifications", "Change digest time and mutes", description)
}

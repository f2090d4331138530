//! `PUT /me/notification-preferences`: writes what the caller wants of some kinds.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::{NotificationPreference, SetNotificationPreference};
use svc_app::{App, notifications};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json};
use svc_present::notifications::preferences::{preferences, read_preferences};

use crate::list_body::ListBody;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    ListBody(body): ListBody<SetNotificationPreference>,
) -> ApiResult<Json<Vec<NotificationPreference>>> {
    let kinds = read_preferences(&body)?;
    let written = notifications::set_preferences(&app, caller.credential(), &kinds).await?;
    Ok(Json(preferences(&notifications::in_force_after(&app, caller.credential(), written).await?)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Writes every field of each entry that is sent: chat modes that are left out become `null`. Kinds \
         that are not sent stay as they are. Answers with all kinds.";
    operation(op, "setNotificationPreferences", "Notifications", "Set preferences", description)
}

//! `PATCH /me/notification-settings`: changes when digests are sent and what is muted.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::{ChangeNotificationSettings, NotificationSettings};
use svc_app::notifications::{self, InForce};
use svc_app::{App, Error};
use svc_domain::refusal::Refusal;
use svc_http::doc::operation;
use svc_http::{ApiResult, Body, Caller, Json};
use svc_present::notifications::preferences::{read_settings, settings};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(body): Body<ChangeNotificationSettings>,
) -> ApiResult<Json<NotificationSettings>> {
    let wanted = read_settings(body)?;
    let preferences = notifications::set_settings(&app, caller.credential(), &wanted).await?;
    let seen = match notifications::in_force(&app, caller.credential()).await {
        // A token that may not read is told of nothing but what it wrote.
        Err(Error::Refused(Refusal::MissingScope(_))) => {
            InForce { preferences, suggested: Vec::new(), mail: None }
        }
        seen => seen?,
    };
    Ok(Json(settings(&seen)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Fields that are left out stay. `mutes` replaces the whole list. Of a muted item or project the \
         caller hears nothing; of a muted agent only when it needs the caller, fails or mentions them.";
    operation(op, "changeNotificationSettings", "Notifications", "Change digest time and mutes", description)
}

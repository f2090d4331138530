//! `PATCH /orgs/{slug}/notification-channels/{id}`: name and modes of a channel.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::{ChangeOrgNotificationChannel, OrgNotificationChannel};
use svc_app::{App, notifications};
use svc_domain::identity::Scope;
use svc_domain::ids::ChannelId;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Body, Caller, Json, Path};
use svc_present::notifications::channels::{org_channel, org_channel_edit};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<ChannelId>>,
    Body(body): Body<ChangeOrgNotificationChannel>,
) -> ApiResult<Json<OrgNotificationChannel>> {
    let edit = org_channel_edit(body)?;
    let changed = notifications::change_org_channel(&app, caller.at(&path.slug), path.id, &edit).await?;
    Ok(Json(org_channel(changed)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Owners and Admins. `modes` replaces all modes: a kind that is missing is off.";
    let op = scope(op, Some(Scope::Admin));
    operation(
        op,
        "changeOrgNotificationChannel",
        "Notifications",
        "Change a channel of the organization",
        description,
    )
}

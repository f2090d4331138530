//! `GET /orgs/{slug}/notification-channels`: the channels of the organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::OrgNotificationChannels;
use svc_app::{App, notifications};
use svc_http::doc::operation;
use svc_http::paths::OrgPath;
use svc_http::{ApiResult, Caller, Json, Path};
use svc_present::notifications::channels::org_channels;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgPath>,
) -> ApiResult<Json<OrgNotificationChannels>> {
    let listed = notifications::org_channels(&app, caller.at(&path.slug)).await?;
    Ok(Json(org_channels(&app.settings, listed)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Owners and Admins. `kinds` lists what a channel can be told of.";
    operation(
        op,
        "listOrgNotificationChannels",
        "Notifications",
        "List the organization's channels",
        description,
    )
}

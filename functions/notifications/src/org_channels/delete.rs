//! `DELETE /orgs/{slug}/notification-channels/{id}`: deletes a channel of the organization.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::{App, notifications};
use svc_domain::identity::Scope;
use svc_domain::ids::ChannelId;
use svc_http::doc::{operation, scope};
use svc_http::paths::OrgIdPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<ChannelId>>,
) -> ApiResult<NoContent> {
    notifications::delete_org_channel(&app, caller.at(&path.slug), path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Owners and Admins. What still waits to be sent there is not sent.";
    let op = scope(op, Some(Scope::Admin));
    operation(
        op,
        "deleteOrgNotificationChannel",
        "Notifications",
        "Delete a channel of the organization",
        description,
    )
}

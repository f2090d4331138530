//! `POST /orgs/{slug}/notification-channels/{id}/test`: sends a test message.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::ChannelTested;
use svc_app::{App, notifications};
use svc_domain::identity::Scope;
use svc_domain::ids::ChannelId;
use svc_http::doc::{operation, refuses, scope};
use svc_http::paths::OrgIdPath;
use svc_http::problems::CHANNEL_TEST_FAILED;
use svc_http::{ApiResult, Caller, Json, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<OrgIdPath<ChannelId>>,
) -> ApiResult<Json<ChannelTested>> {
    notifications::test_org_channel(&app, caller.at(&path.slug), path.id).await?;
    Ok(Json(ChannelTested { ok: true }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "For Owners and Admins. If the message arrives, a broken channel works again. Otherwise `error` \
         says why it did not.";
    let op = refuses(scope(op, Some(Scope::Admin)), &[CHANNEL_TEST_FAILED]);
    operation(
        op,
        "testOrgNotificationChannel",
        "Notifications",
        "Test a channel of the organization",
        description,
    )
}

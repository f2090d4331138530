//! `POST /me/notification-channels/{id}/test`: sends a test message.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::ChannelTested;
use svc_app::{App, notifications};
use svc_domain::ids::ChannelId;
use svc_http::doc::{operation, refuses};
use svc_http::paths::IdPath;
use svc_http::problems::CHANNEL_TEST_FAILED;
use svc_http::{ApiResult, Caller, Json, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<IdPath<ChannelId>>,
) -> ApiResult<Json<ChannelTested>> {
    notifications::test_channel(&app, caller.credential(), path.id).await?;
    Ok(Json(ChannelTested { ok: true }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description =
        "If the message arrives, a broken channel works again. Otherwise `error` says why it did not.";
    let op = refuses(op, &[CHANNEL_TEST_FAILED]);
    operation(op, "testNotificationChannel", "Notifications", "Test a channel", description)
}

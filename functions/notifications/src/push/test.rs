//! `POST /me/push-subscriptions/{id}/test`: sends a test to a browser.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::notifications::ChannelTested;
use svc_app::{App, notifications};
use svc_domain::ids::TokenId;
use svc_http::doc::{operation, refuses};
use svc_http::paths::IdPath;
use svc_http::problems::CHANNEL_TEST_FAILED;
use svc_http::{ApiResult, Caller, Json, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<IdPath<TokenId>>,
) -> ApiResult<Json<ChannelTested>> {
    notifications::test_browser(&app, caller.credential(), path.id).await?;
    Ok(Json(ChannelTested { ok: true }))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Answers once the push service has taken the message. If it did not, `error` says why. A browser that \
        the push service does not know any more is removed.";
    let op = refuses(op, &[CHANNEL_TEST_FAILED]);
    operation(op, "testPushSubscription", "Notifications", "Send a test to a browser", description)
}

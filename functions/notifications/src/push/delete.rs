//! `DELETE /me/push-subscriptions/{id}`: a browser is told no more.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::{App, notifications};
use svc_domain::ids::TokenId;
use svc_http::doc::operation;
use svc_http::paths::IdPath;
use svc_http::{ApiResult, Caller, NoContent, Path};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(path): Path<IdPath<TokenId>>,
) -> ApiResult<NoContent> {
    notifications::turn_off(&app, caller.credential(), path.id).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "What still waits to be sent there is not sent.";
    operation(op, "deletePushSubscription", "Notifications", "Stop telling a browser", description)
}

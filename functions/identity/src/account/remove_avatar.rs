//! `DELETE /me/avatar`: the caller has no picture any more.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::{App, identity};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, scope};
use svc_http::{ApiResult, Caller, NoContent};

pub(crate) async fn handler(State(app): State<Arc<App>>, caller: Caller) -> ApiResult<NoContent> {
    identity::remove_avatar(&app, caller.credential()).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "The picture's key then answers 404. Repeating the request is harmless.";
    operation(op, "removeAvatar", "Account", "Remove the picture", description)
}

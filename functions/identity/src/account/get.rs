//! `GET /me`: who the caller is.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::Me;
use svc_app::{App, identity};
use svc_http::doc::{operation, scope};
use svc_http::{ApiResult, Caller, Json};
use svc_present::identity::view;

pub(crate) async fn handler(State(app): State<Arc<App>>, caller: Caller) -> ApiResult<Json<Me>> {
    let me = identity::me(&app, caller.credential()).await?;
    Ok(Json(view::me(me)))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, None);
    let description = "The person or agent that the credential belongs to, its scopes, and the organizations that it can see.";
    operation(op, "getMe", "Account", "View the caller", description)
}

//! `GET /me/tokens`: the caller's access tokens.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::Token;
use svc_app::{App, identity};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json};
use svc_present::identity::view;

pub(crate) async fn handler(State(app): State<Arc<App>>, caller: Caller) -> ApiResult<Json<Vec<Token>>> {
    let tokens = identity::tokens(&app, caller.credential()).await?;
    Ok(Json(tokens.into_iter().map(view::listed_token).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description =
        "The secrets are not shown. A token bound to one organization sees only tokens bound to it.";
    operation(op, "listTokens", "Account", "List access tokens", description)
}

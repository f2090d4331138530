//! `GET /me/sessions`: the caller's sessions.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::Session;
use svc_app::{App, identity};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, Json};
use svc_present::identity::view;

pub(crate) async fn handler(State(app): State<Arc<App>>, caller: Caller) -> ApiResult<Json<Vec<Session>>> {
    let sessions = identity::sessions(&app, caller.credential()).await?;
    Ok(Json(sessions.into_iter().map(view::session).collect()))
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Newest sign-in first. Tokens bound to an organization cannot list sessions.";
    operation(op, "listSessions", "Account", "List sessions", description)
}

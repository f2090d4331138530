//! `DELETE /me/sessions`: signed out everywhere.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::{App, identity};
use svc_http::doc::operation;
use svc_http::{ApiResult, Caller, NoContent, Reply, SessionCookie};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    cookie: SessionCookie,
    caller: Caller,
) -> ApiResult<Reply<NoContent>> {
    identity::end_sessions(&app, caller.credential()).await?;
    Ok(Reply { body: NoContent, headers: vec![cookie.close()] })
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Ends every session, including the caller's. Access tokens keep working: revoke them one by one. Needs the \
         scope `write`.";
    operation(op, "endSessions", "Account", "Sign out everywhere", description)
}

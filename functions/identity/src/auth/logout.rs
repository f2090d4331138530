//! `POST /auth/logout`: sign-out.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::{App, identity};
use svc_http::doc::{operation, scope};
use svc_http::{ApiResult, Caller, NoContent, Reply, SessionCookie};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    cookie: SessionCookie,
    caller: Caller,
) -> ApiResult<Reply<NoContent>> {
    identity::logout(&app, caller.credential()).await?;
    Ok(Reply { body: NoContent, headers: vec![cookie.close()] })
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, None);
    let description =
        "Ends the session and clears the cookie. 403 with an access token: revoke the token instead.";
    operation(op, "logout", "Sign-in", "Sign out", description)
}

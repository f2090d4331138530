//! `POST /auth/refresh`: the session goes on under a new secret.

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
    let renewed = identity::refresh(&app, caller.credential()).await?;
    let opened = renewed.map(|session| cookie.open(&session.secret, session.lasts.as_secs()));
    Ok(Reply { body: NoContent, headers: opened.into_iter().collect() })
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, None);
    let description = "Replaces the secret in the cookie and extends the session. The old secret works for \
         one more minute, for requests that are already under way. Later use counts as theft and ends the \
         session.";
    operation(op, "refreshSession", "Sign-in", "Renew the session", description)
}

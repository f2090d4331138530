//! `POST /auth/login`: sign-in with a password.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{Login, Me};
use svc_app::{App, BearerCredential, identity};
use svc_http::doc::{operation, refuses};
use svc_http::problems::{FORBIDDEN, WRONG_PASSWORD};
use svc_http::{ApiResult, Body, Json, Reply, SessionCookie, Visitor};
use svc_present::identity::view;

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    cookie: SessionCookie,
    Visitor(visitor): Visitor,
    Body(body): Body<Login>,
) -> ApiResult<Reply<Json<Me>>> {
    let session = identity::login(&app, &body.email, &body.password, &visitor).await?;
    let me = identity::me(&app, Some(&BearerCredential::new(&session.secret))).await?;
    let headers = vec![cookie.open(&session.secret, session.lasts.as_secs())];
    Ok(Reply { body: Json(view::me(me)), headers })
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = refuses(op, &[FORBIDDEN, WRONG_PASSWORD]);
    let description = "Sets the session cookie `svc.at`. An unknown address and a wrong password get the same answer. A disabled account is refused (403). Counted \
         against the sign-in budget.";
    operation(op, "login", "Sign-in", "Sign in with a password", description)
}

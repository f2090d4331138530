//! `POST /auth/password`: a new password for who knows the old one.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::ChangePassword;
use svc_app::{App, identity};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, refuses, scope};
use svc_http::problems::WRONG_PASSWORD;
use svc_http::{ApiResult, Body, Caller, NoContent};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(body): Body<ChangePassword>,
) -> ApiResult<NoContent> {
    let current = body.current_password.as_deref();
    identity::change_password(&app, caller.credential(), current, &body.new_password, body.keep_tokens)
        .await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, Some(Scope::Admin));
    let description = "Ends every other session and, unless `keepTokens`, every other access token, and invalidates every \
                       link to reset the password. Needs the scope `admin`; counted against the sign-in budget.";
    let op = refuses(op, &[WRONG_PASSWORD]);
    operation(op, "changePassword", "Sign-in", "Change the password", description)
}

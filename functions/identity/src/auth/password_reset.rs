//! `POST /auth/password/reset`: a new password with a link.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::ResetPassword;
use svc_app::{App, identity};
use svc_http::doc::{operation, refuses};
use svc_http::problems::CONFLICT;
use svc_http::{ApiResult, Body, NoContent, Visitor};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    Visitor(visitor): Visitor,
    Body(body): Body<ResetPassword>,
) -> ApiResult<NoContent> {
    identity::reset_password(&app, &body.secret, &body.new_password, &visitor).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Ends every session and every access token of the account. The link works once: a used \
                       or expired link answers 409. Counted against the sign-in budget.";
    let op = refuses(op, &[CONFLICT]);
    operation(op, "resetPassword", "Sign-in", "Reset the password with a link", description)
}

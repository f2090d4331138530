//! `POST /auth/password/forgot`: a link to a new password, by mail.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::ForgotPassword;
use svc_app::{App, identity};
use svc_http::doc::{operation, refuses};
use svc_http::problems::CONFLICT;
use svc_http::{ApiResult, Body, NoContent, Visitor};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    Visitor(visitor): Visitor,
    Body(body): Body<ForgotPassword>,
) -> ApiResult<NoContent> {
    identity::forgot_password(&app, &body.email, &visitor).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "The answer is the same whether or not the address has an account. The link works \
         once, for an hour. 409 if the instance sends no mail. Counted against the sign-in budget.";
    let op = refuses(op, &[CONFLICT]);
    operation(op, "forgotPassword", "Sign-in", "Request a password reset link", description)
}

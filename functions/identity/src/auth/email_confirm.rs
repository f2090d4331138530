//! `POST /auth/email/confirm`: a new address of an account, with the link that was mailed there.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::ConfirmEmail;
use svc_app::{App, identity};
use svc_http::doc::{operation, refuses};
use svc_http::problems::{ALREADY_EXISTS, CONFLICT};
use svc_http::{ApiResult, Body, NoContent};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    Body(body): Body<ConfirmEmail>,
) -> ApiResult<NoContent> {
    identity::confirm_address(&app, &body.secret).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "The account has the new address from now on, and signs in with it. The link works \
         once, for a day. It stops working when another address is requested or the password changes (409). \
         Answers 409 `already-exists` if another account has the address. Counted against the sign-in \
         budget.";
    let op = refuses(op, &[ALREADY_EXISTS, CONFLICT]);
    operation(op, "confirmEmail", "Account", "Confirm a new address with a link", description)
}

//! `DELETE /auth/oidc/connection`: the identity provider no longer leads to the account.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_app::{App, identity};
use svc_domain::identity::Scope;
use svc_http::doc::{operation, refuses, scope};
use svc_http::problems::CONFLICT;
use svc_http::{ApiResult, Caller, NoContent};

pub(crate) async fn handler(State(app): State<Arc<App>>, caller: Caller) -> ApiResult<NoContent> {
    identity::disconnect_provider(&app, caller.credential()).await?;
    Ok(NoContent)
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "Answers 409 for an account without a password. Needs the scope `admin`; counted against the sign-in \
                       budget.";
    let op = scope(op, Some(Scope::Admin));
    let op = refuses(op, &[CONFLICT]);
    operation(op, "disconnectProvider", "Sign-in", "Disconnect the identity provider", description)
}

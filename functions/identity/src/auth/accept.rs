//! `POST /auth/invitations/accept`: an invitation is accepted.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{AcceptInvitation, AcceptedInvitation};
use svc_app::{App, identity};
use svc_http::doc::{operation, refuses, scope};
use svc_http::problems::{
    ALREADY_EXISTS, CONFLICT, FORBIDDEN, MISSING_SCOPE, NOT_FOUND, READ_ONLY, UNAUTHENTICATED,
};
use svc_http::{ApiResult, Body, Json, OptionalCaller, Reply, SessionCookie, Visitor};
use svc_present::identity::{read, view};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    cookie: SessionCookie,
    Visitor(visitor): Visitor,
    OptionalCaller(caller): OptionalCaller,
    Body(body): Body<AcceptInvitation>,
) -> ApiResult<Reply<Json<AcceptedInvitation>>> {
    let joining = read::joining(body, visitor)?;
    let joined = identity::join(&app, caller.credential(), joining).await?;
    let opened = joined.session.map(|session| cookie.open(&session.secret, session.lasts.as_secs()));
    let body = Json(AcceptedInvitation { organization: view::org(joined.org) });
    Ok(Reply { body, headers: opened.into_iter().collect() })
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let op = scope(op, None);
    let description = "A caller who is signed in to the invited account joins with it. A caller without an \
         account sends a name and a password, and the answer's cookie signs them in. The link works once. \
         403 if the caller's address is not the invited one; 409 says why the link no longer works. Counted \
         against the sign-in budget.";
    let op = refuses(
        op,
        &[ALREADY_EXISTS, CONFLICT, FORBIDDEN, MISSING_SCOPE, NOT_FOUND, READ_ONLY, UNAUTHENTICATED],
    );
    operation(op, "acceptInvitation", "Sign-in", "Accept an invitation", description)
}

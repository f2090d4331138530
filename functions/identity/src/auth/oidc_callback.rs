//! `GET /auth/oidc/callback`: the browser comes back from the identity provider.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;
use svc_app::App;
use svc_app::identity::{self, Return};
use svc_http::doc::{operation, refuses, scope};
use svc_http::problems::{ALREADY_EXISTS, CONFLICT, FORBIDDEN, NOT_FOUND, READ_ONLY, UNAVAILABLE};
use svc_http::{
    ApiResult, AttemptCookie, Caller, OptionalCaller, Query, Reader, Reply, SeeOther, SessionCookie, Visitor,
    any_query,
};

/// What the provider passes on.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Passed {
    /// What the attempt began with.
    state: Option<String>,
    /// Authorization code from the provider; absent when it signed nobody in.
    code: Option<String>,
}

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    cookie: SessionCookie,
    AttemptCookie(secret): AttemptCookie,
    Visitor(visitor): Visitor,
    OptionalCaller(caller): OptionalCaller,
    reader: Reader,
    Query(passed): Query<Passed>,
) -> ApiResult<Reply<SeeOther>> {
    let back = Return { secret, state: passed.state, code: passed.code, visitor };
    reader.answer(finish(&app, &cookie, &caller, back).await, "/sign-in")
}

async fn finish(
    app: &App,
    cookie: &SessionCookie,
    caller: &Caller,
    back: Return,
) -> ApiResult<Reply<SeeOther>> {
    let arrival = identity::finish_sign_in(app, caller.credential(), back).await?;
    let opened = arrival.session.map(|session| cookie.open(&session.secret, session.lasts.as_secs()));
    let headers = opened.into_iter().chain([cookie.attempt("", 0)]).collect();
    Ok(Reply { body: SeeOther(arrival.return_to), headers })
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "OpenID Connect callback for browsers. Sets the session cookie and redirects to the \
         `returnTo` of the sign-in. An attempt works once, in the browser that began it, for ten minutes \
         (409). The provider must sign its answer for this attempt (403). Counted against the sign-in \
         budget. A browser that asks for a page (`Accept: text/html`) and is refused is redirected to \
         `/sign-in?problem=…`, with the kind of the problem.";
    let op = scope(op, None);
    let op = refuses(op, &[ALREADY_EXISTS, CONFLICT, FORBIDDEN, NOT_FOUND, READ_ONLY, UNAVAILABLE]);
    // The provider may add parameters of its own.
    let op = any_query(op);
    operation(op, "finishProviderSignIn", "Sign-in", "Finish sign-in with the identity provider", description)
}

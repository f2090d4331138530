//! `POST /auth/oidc/start`: the browser goes to the identity provider.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::extract::State;
use svc_api::identity::{ProviderSignIn, StartProviderSignIn};
use svc_app::App;
use svc_app::identity::{self, Beginning};
use svc_http::doc::{operation, refuses, scope};
use svc_http::problems::{CONFLICT, FORBIDDEN, UNAUTHENTICATED, UNAVAILABLE, WRONG_PASSWORD};
use svc_http::{ApiResult, Body, Json, OptionalCaller, Reply, SessionCookie};

pub(crate) async fn handler(
    State(app): State<Arc<App>>,
    cookie: SessionCookie,
    OptionalCaller(caller): OptionalCaller,
    Body(body): Body<StartProviderSignIn>,
) -> ApiResult<Reply<Json<ProviderSignIn>>> {
    let StartProviderSignIn { return_to, invitation, connect, current_password } = body;
    let beginning = Beginning { return_to, invitation, connect, current_password };
    let departure = identity::begin_sign_in(&app, caller.credential(), beginning).await?;
    let headers = vec![cookie.attempt(&departure.secret, departure.lasts.as_secs())];
    Ok(Reply { body: Json(ProviderSignIn { address: departure.address }), headers })
}

pub(crate) fn docs(op: TransformOperation<'_>) -> TransformOperation<'_> {
    let description = "OpenID Connect, authorization code with PKCE: send the browser to `address`. It comes \
                       back to `GET /auth/oidc/callback`, which redirects to `returnTo`. To connect an \
                       existing account, send its session and its password. Answers 409 if there is no \
                       provider, 503 if it does not answer. Counted against the sign-in budget.";
    let op = scope(op, None);
    let op = refuses(op, &[CONFLICT, FORBIDDEN, UNAUTHENTICATED, UNAVAILABLE, WRONG_PASSWORD]);
    operation(op, "startProviderSignIn", "Sign-in", "Sign in with the identity provider", description)
}

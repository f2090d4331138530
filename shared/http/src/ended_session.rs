//! Credentials that no longer work, on requests that need none.
//!
//! A browser keeps the cookie of a session that ended elsewhere: on another device, with a changed password, on another
//! instance on the same host. Such a cookie must never keep its person from signing in, so a credential that does not
//! work counts as none where none is needed ([`OptionalCaller`]), and the response to a sign-in, a sign-out or a renewal
//! removes the cookie.
//!
//! Other responses remove nothing. What was sent before a sign-in may be answered after it, and would take the new
//! session's cookie away. Neither does a response to two cookies of the name: it does not know which one it would remove.

use std::sync::Arc;

use aide::OperationInput;
use aide::generate::GenContext;
use aide::openapi::{Operation, SecurityRequirement};
use axum::extract::FromRequestParts;
use axum::response::Response;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Uri, header};
use svc_app::entry::works;
use svc_app::{App, BearerCredential};

use crate::error::ApiError;
use crate::extract::{Caller, SESSION_COOKIE, bearer, cookie, cookies, reads};
use crate::session_cookie::SessionCookie;

/// The caller of a route that needs no credential: nobody if the presented one does not work.
#[derive(Clone, Debug)]
pub struct OptionalCaller(pub Caller);

impl FromRequestParts<Arc<App>> for OptionalCaller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let secret = bearer(&parts.headers).or_else(|| session(&parts.headers));
        if let Some(secret) = secret
            && !works(app, &BearerCredential::new(secret)).await?
        {
            return Ok(Self(Caller(None)));
        }
        Caller::from_request_parts(parts, app).await.map(Self)
    }
}

impl OperationInput for OptionalCaller {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        Caller::operation_input(ctx, operation);
        operation.security.push(SecurityRequirement::default());
    }
}

/// The secret of the session cookie of a request that authenticates with it.
fn session(headers: &HeaderMap) -> Option<&str> {
    if headers.contains_key(header::AUTHORIZATION) { None } else { cookie(headers, SESSION_COOKIE) }
}

/// The session cookie of a sign-in, a sign-out or a renewal, and how to remove it.
pub(crate) struct SentSession {
    secret: String,
    cookie: SessionCookie,
}

impl SentSession {
    /// The session cookie that such a request was sent with.
    pub(crate) fn of(app: &App, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Self> {
        if reads(method) || !uri.path().starts_with("/api/v1/auth/") {
            return None;
        }
        let secret = session(headers)?.to_owned();
        let one = cookies(headers, SESSION_COOKIE).nth(1).is_none();
        one.then(|| Self { secret, cookie: SessionCookie::of(app, uri, headers) })
    }

    /// Removes the cookie with the response if its session has ended.
    pub(crate) async fn remove_if_ended(self, app: &App, mut response: Response) -> Response {
        if sets_session(response.headers()) {
            return response;
        }
        if let Ok(false) = works(app, &BearerCredential::new(&self.secret)).await {
            let (name, value) = self.cookie.close();
            if let Ok(value) = HeaderValue::try_from(value) {
                response.headers_mut().append(name, value);
            }
        }
        response
    }
}

fn sets_session(headers: &HeaderMap) -> bool {
    let session = |value: &HeaderValue| {
        value.as_bytes().strip_prefix(SESSION_COOKIE.as_bytes()).is_some_and(|rest| rest.starts_with(b"="))
    };
    headers.get_all(header::SET_COOKIE).iter().any(session)
}

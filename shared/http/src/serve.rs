//! Puts areas together behind the common layers.

use std::sync::Arc;

use aide::openapi::OpenApi;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::handler::Handler;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use svc_app::{App, heavy};
use tower::util::MapResponseLayer;
use tower_http::catch_panic::CatchPanicLayer;

use crate::ApiRouter;
use crate::body::MAX_BODY;
use crate::deprecation::{Deprecations, told};
use crate::doc::{complete, describe, share};
use crate::ended_session::SentSession;
use crate::error::ApiError;
use crate::idempotency::idempotent;
use crate::known_query::{KnownQueries, known_only};
use crate::leading::lead;
use crate::problems::{INTERNAL, METHOD, NOT_FOUND};
use crate::rate_limit::within_budget;
use crate::reread::{Copy, compressed, reread};
use crate::trace::traced;

/// Joins areas under `/api/v1` and writes their OpenAPI document.
pub fn api(areas: impl IntoIterator<Item = ApiRouter>) -> (Router<Arc<App>>, OpenApi) {
    let mut document = OpenApi::default();
    let joined = areas.into_iter().fold(ApiRouter::new(), ApiRouter::merge);
    let router = ApiRouter::new().nest("/api/v1", joined).finish_api_with(&mut document, describe);
    name_wildcards(&mut document);
    complete(&mut document);
    let known = KnownQueries::complete(&mut document);
    // A router without routes takes no layer.
    let router =
        if router.has_routes() { router.route_layer(from_fn_with_state(known, known_only)) } else { router };
    let deprecations = Deprecations::complete(&mut document);
    share(&mut document);
    if deprecations.is_empty() {
        return (router, document);
    }
    (router.route_layer(from_fn_with_state(deprecations, told)), document)
}

/// What a route writes as `{*path}`, because it takes slashes too, is the parameter `{path}` in the document.
fn name_wildcards(document: &mut OpenApi) {
    if let Some(paths) = &mut document.paths {
        let named = std::mem::take(&mut paths.paths).into_iter();
        paths.paths = named.map(|(address, item)| (address.replace("{*", "{"), item)).collect();
    }
}

/// Puts the common layers around a router: trace ids, problem documents for what no route answers, body
/// limit, request budgets, idempotency keys, panics. They are one stack, the first the outermost: every
/// further `.layer` of a router would cost each request a box.
pub fn finish(router: Router<Arc<App>>, app: Arc<App>) -> Router {
    finish_with(router, || async { ApiError::from(NOT_FOUND.problem()) }, app)
}

/// As [`finish`], with what answers where no route does.
pub fn finish_with<H, T>(router: Router<Arc<App>>, otherwise: H, app: Arc<App>) -> Router
where
    H: Handler<T, Arc<App>>,
    T: 'static,
{
    let https = app.settings.service.base_url.starts_with("https://");
    let routes = router
        .method_not_allowed_fallback(|| async { ApiError::from(METHOD.problem()) })
        .fallback(otherwise)
        .with_state(Arc::clone(&app));
    let entrance = Entrance { app: Arc::clone(&app), routes: routes.clone() };
    routes.layer((
        from_fn_with_state(Arc::clone(&app), traced),
        MapResponseLayer::new(move |response| protect(response, https)),
        compressed(),
        CatchPanicLayer::custom(|_| ApiError::from(INTERNAL.problem()).into_response()),
        DefaultBodyLimit::max(MAX_BODY),
        from_fn_with_state(entrance, admitted),
    ))
}

/// What a request passes, and the routes behind it.
#[derive(Clone)]
struct Entrance {
    app: Arc<App>,
    routes: Router,
}

/// What a request passes before its route, its budget and then its idempotency key; and what its answer passes.
async fn admitted(
    State(Entrance { app, routes }): State<Entrance>,
    mut request: Request,
    next: Next,
) -> Response {
    let (copy, address) = (Copy::of(&request), request.uri().clone());
    let session = SentSession::of(&app, request.method(), request.uri(), request.headers());
    match within_budget(&app, &request).await {
        Ok(account) => {
            let name = account.as_ref().map(|account| Arc::clone(account.name()));
            if let Some(account) = account {
                request.extensions_mut().insert(account);
            }
            // Kept until the answer is made, unless that is held open.
            let admission = match name.as_ref().filter(|_| reads(&request)) {
                Some(name) => Some(app.places.admit(name).await),
                None => None,
            };
            if let Some(admission) = &admission {
                request.extensions_mut().insert(admission.clone());
            }
            let answer = heavy::answering(name.as_ref(), idempotent(&app, &routes, request, next)).await;
            drop(admission);
            let answer = match session {
                Some(session) => session.remove_if_ended(&app, answer).await,
                None => answer,
            };
            lead(reread(copy, answer), &address)
        }
        Err(error) => error.into_response(),
    }
}

/// Whether a request is one of those of which an account has few answered at once.
fn reads(request: &Request) -> bool {
    request.method().is_safe() || request.uri().path() == "/mcp"
}

/// Headers of every answer: nothing is cached by others, sniffed, framed or told to other sites, what is no
/// page of ours is none in a browser, and who came over HTTPS never comes without it.
fn protect<B>(mut response: http::Response<B>, https: bool) -> http::Response<B> {
    let unauthorized = response.status() == StatusCode::UNAUTHORIZED;
    let headers = response.headers_mut();
    if https {
        let year = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
    let no_page = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(no_page);
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if unauthorized {
        headers.insert(header::VARY, HeaderValue::from_static("Authorization, Cookie"));
    }
    response
}

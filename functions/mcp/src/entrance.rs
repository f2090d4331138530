//! What a request to `/mcp` passes before the protocol reads it: where it comes from, its size, its credential.
//!
//! Refuses with problem documents, because clients show those to people: a token that lacks the scope or the
//! organization is told which. What comes through is carried to the tools as a [`Guest`].

use std::sync::{Arc, LazyLock};

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts, Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use svc_app::App;
use svc_http::problems::{FORBIDDEN, MALFORMED};
use svc_http::{ApiError, ApiResult, Caller, Holder, Trace, json_bytes};
use tokio::sync::watch;

use crate::guest::Guest;
use crate::origin;
use crate::server::Server;

type Protocol = StreamableHttpService<Server, NeverSessionManager>;

/// The protocol over HTTP: one request, one answer as JSON. Hosts and origins are looked at here.
static PROTOCOL: LazyLock<Protocol> = LazyLock::new(|| {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_keep_alive(None)
        .disable_allowed_hosts()
        .disable_allowed_origins();
    StreamableHttpService::new(|| Ok(Server), Arc::new(NeverSessionManager::default()), config)
});

pub(crate) async fn handler(State(app): State<Arc<App>>, request: Request) -> Response {
    // The library answers in a task of its own, which goes on when this ends with its client.
    let (_waits, client) = watch::channel(());
    match admitted(app, request, client).await {
        Ok(request) => in_documents(PROTOCOL.handle(request).await.into_response()).await,
        Err(error) => error.into_response(),
    }
}

/// An answer as it is; a refusal in plain text becomes a problem document.
async fn in_documents(answer: Response) -> Response {
    let json = |value: &HeaderValue| value.as_bytes().starts_with(b"application/json");
    let plain = !answer.headers().get(header::CONTENT_TYPE).is_some_and(json);
    if !answer.status().is_client_error() || !plain {
        return answer;
    }
    let said = to_bytes(answer.into_body(), LONGEST_REFUSAL).await.unwrap_or_default();
    ApiError::from(MALFORMED.because(String::from_utf8_lossy(&said))).into_response()
}

/// Bytes of a refusal by the protocol's library.
const LONGEST_REFUSAL: usize = 64 * 1024;

async fn admitted(app: Arc<App>, request: Request, client: watch::Receiver<()>) -> ApiResult<Request> {
    let (mut head, body) = request.into_parts();
    if let Some(why) = origin::refusal(&head.headers, &head.uri, &app.settings.service.base_url) {
        return Err(FORBIDDEN.because(why).into());
    }
    let Caller(credential) = Caller::from_request_parts(&mut head, &()).await?;
    let place = svc_app::mcp::admit(&app, credential.as_ref()).await?;
    let credential = credential.ok_or(svc_domain::refusal::Refusal::Unauthenticated)?;
    let bytes = json_bytes(Request::from_parts(head.clone(), body)).await?;
    let trace = Trace::current();
    let (org, org_name) = (place.org.slug, place.org.name);
    let (access, holder) = (place.access, Holder::of(&head));
    head.extensions.insert(Guest { app, credential, org, org_name, access, holder, client, trace });
    // The answer is JSON, whatever else a client would take.
    head.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    Ok(Request::from_parts(head, Body::from(bytes)))
}

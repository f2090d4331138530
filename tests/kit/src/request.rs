//! Requests without a socket, and replies as snapshots show them.

use std::fmt::Write as _;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use http::request::Builder;
use http::{HeaderMap, Method, Request, StatusCode, header};
use serde_json::Value;
use svc_app::secrets::SecretKind;
use tower::ServiceExt as _;

/// What a router answered.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Status code.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub bytes: Bytes,
    /// The body as text; what is none is replaced.
    pub text: String,
    /// The body as JSON; null when it is none.
    pub json: Value,
}

impl Reply {
    /// Fails the test unless the reply has this status code.
    #[track_caller]
    pub fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }

    /// A header; empty when it is absent or not text.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The `type` of the problem document; empty when it is none.
    pub fn problem(&self) -> &str {
        self.json["type"].as_str().unwrap_or_default()
    }

    /// Status, headers and body for a snapshot, without what differs from one request to the next: the trace
    /// id, and headers that every reply has.
    pub fn snapshot(&self) -> String {
        const EVERYWHERE: [&str; 8] = [
            "cache-control",
            "content-length",
            "etag",
            "referrer-policy",
            "vary",
            "x-content-type-options",
            "x-frame-options",
            "x-trace-id",
        ];
        let mut lines = format!("{}\n", self.status);
        let no_page = (http::header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'");
        let mut headers: Vec<_> = self
            .headers
            .iter()
            .filter(|(name, _)| !EVERYWHERE.contains(&name.as_str()))
            .filter(|(name, value)| **name != no_page.0 || **value != *no_page.1)
            .map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value.as_bytes())))
            .collect();
        headers.sort();
        for header in headers {
            let _ = writeln!(lines, "{header}");
        }
        let mut json = self.json.clone();
        if let Some(id) = json.get_mut("traceId") {
            *id = "[traceId]".into();
        }
        let body = if json.is_null() {
            self.text.clone()
        } else {
            serde_json::to_string_pretty(&json).unwrap_or_default()
        };
        lines + "\n" + &body
    }
}

/// Calls an operation of the API: `path` comes after `/api/v1`.
///
/// # Panics
/// When the request cannot be built.
pub async fn call(
    router: &Router,
    method: Method,
    path: &str,
    token: Option<&str>,
    body: Option<Value>,
) -> Reply {
    let mut request = Request::builder().method(method).uri(format!("/api/v1{path}"));
    if let Some(token) = token {
        request = authenticated(request, token);
    }
    let request = match body {
        Some(json) => {
            request.header(header::CONTENT_TYPE, "application/json").body(Body::from(json.to_string()))
        }
        None => request.body(Body::empty()),
    };
    send(router, request.expect("the path is an address")).await
}

/// The request with a token, or with the cookie of a session as a browser's page sends it.
pub fn authenticated(request: Builder, secret: &str) -> Builder {
    match secret.starts_with(SecretKind::Session.prefix()) {
        true => request.header(header::COOKIE, format!("svc.at={secret}")).header("x-svc-request", "1"),
        false => request.header(header::AUTHORIZATION, format!("Bearer {secret}")),
    }
}

/// Sends any request.
///
/// # Panics
/// When the reply's body fails.
pub async fn send(router: &Router, request: Request<Body>) -> Reply {
    let response = match router.clone().oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    let (head, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.expect("the reply's body is at hand");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let json = serde_json::from_str(&text).unwrap_or(Value::Null);
    Reply { status: head.status, headers: head.headers, bytes, text, json }
}

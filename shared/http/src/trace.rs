//! The trace id: names one request in the logs, in its problem document and in the header `X-Trace-Id`.

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderMap, HeaderValue};
use std::sync::Arc;
use svc_app::App;
use tracing::Instrument as _;

tokio::task_local! {
    static TRACE_ID: String;
}

/// The trace id of the request that is being answered; empty outside of one.
pub fn current_trace_id() -> String {
    TRACE_ID.try_with(Clone::clone).unwrap_or_default()
}

/// Gives every request a trace id and a span, and logs how it ended.
pub(crate) async fn traced(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let id = incoming(request.headers()).unwrap_or_else(|| format!("{:032x}", app.ids.trace_id()));
    let route = request.extensions().get::<MatchedPath>().map_or("-", MatchedPath::as_str).to_owned();
    let span = tracing::info_span!(
        "request",
        trace_id = id,
        method = %request.method(),
        route,
    );
    let method = request.method().clone();
    let header = HeaderValue::from_str(&id);
    let answer = async move {
        let started = tokio::time::Instant::now();
        let response = next.run(request).await;
        let (status, took) = (response.status().as_u16(), started.elapsed());
        app.metrics.answered(method.as_str(), &route, status, took);
        tracing::debug!(status, micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX), "answered");
        response
    };
    let mut response = TRACE_ID.scope(id, answer.instrument(span)).await;
    if let Ok(header) = header {
        response.headers_mut().insert("x-trace-id", header);
    }
    response
}

/// The request that is being answered, to be carried to where a library goes on with it in a task of its own.
#[derive(Clone, Debug)]
pub struct Trace {
    id: String,
    span: tracing::Span,
}

impl Trace {
    /// The request that is being answered here.
    pub fn current() -> Self {
        Self { id: current_trace_id(), span: tracing::Span::current() }
    }

    /// Does work of this request to its end, also when nobody waits for it any more.
    pub async fn outlasting<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> T {
        let work = outlasting(work).instrument(self.span.clone());
        TRACE_ID.scope(self.id.clone(), work).await
    }
}

/// Does work of the request that is being answered to its end, also when nobody waits for it any more.
pub(crate) async fn outlasting<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    let work = TRACE_ID.scope(current_trace_id(), work.in_current_span());
    match tokio::spawn(work).await {
        Ok(done) => done,
        Err(failed) => match failed.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The process is ending, and this request with it.
            Err(_) => std::future::pending().await,
        },
    }
}

/// The trace id of a W3C `traceparent` header.
fn incoming(headers: &HeaderMap) -> Option<String> {
    let value = headers.get("traceparent")?.to_str().ok()?;
    let id = value.split('-').nth(1)?;
    let valid = id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit()) && id.bytes().any(|b| b != b'0');
    valid.then(|| id.to_owned())
}

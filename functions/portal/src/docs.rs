//! `GET /docs`: the interactive reference, drawn by Swagger UI (see `vendor/swagger-ui`).
//!
//! The page may run only our own scripts and talk only to this instance. Assets are sent compressed as they
//! are embedded: every browser takes that.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::response::IntoResponse;
use axum::routing::get;
use http::header::{self, HeaderName};
use svc_app::App;

/// Version of Swagger UI: part of the assets' addresses, so that they may be cached for ever.
const VERSION: &str = "5.35.0";

const BUNDLE: &[u8] = include_bytes!("../vendor/swagger-ui/swagger-ui-bundle.js.gz");
const STYLE: &[u8] = include_bytes!("../vendor/swagger-ui/swagger-ui.css.gz");
const START: &str = include_str!("../assets/start.js");

/// Swagger UI sets style attributes and images of its own; nothing else is inline, and nothing is foreign.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

static PAGE: LazyLock<String> =
    LazyLock::new(|| include_str!("../assets/docs.html").replace("{version}", VERSION));

pub(crate) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/docs", get(page))
        .route("/docs/start.js", get(|| async { ([JAVASCRIPT], START) }))
        .route(&format!("/docs/{VERSION}/swagger-ui-bundle.js"), get(|| asset(JAVASCRIPT, BUNDLE)))
        .route(&format!("/docs/{VERSION}/swagger-ui.css"), get(|| asset(CSS, STYLE)))
}

type Header = (HeaderName, &'static str);

const JAVASCRIPT: Header = (header::CONTENT_TYPE, "text/javascript; charset=utf-8");
const CSS: Header = (header::CONTENT_TYPE, "text/css; charset=utf-8");

async fn page() -> impl IntoResponse {
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (headers, PAGE.as_str())
}

async fn asset(kind: Header, bytes: &'static [u8]) -> impl IntoResponse {
    let headers = [
        kind,
        (header::CONTENT_ENCODING, "gzip"),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    (headers, bytes)
}

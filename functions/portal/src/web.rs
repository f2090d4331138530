//! The web app: its page for every address that people are sent to, and its assets.
//!
//! Files under `/assets/` carry a digest of their content in their name and are kept for ever; everything else is
//! asked for again with its tag. Each text file is embedded three times, as built and compressed with Brotli and
//! gzip, and sent as the browser takes it. The page may run our scripts alone and talk to this instance alone.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::header::{self, HeaderMap, HeaderValue};
use http::{Method, Uri};
use include_dir::{Dir, include_dir};
use sha2::{Digest as _, Sha256};
use svc_http::ApiError;
use svc_http::problems::{METHOD, NOT_FOUND};

static FILES: Dir<'_> = include_dir!("$OUT_DIR/web");

/// Nothing inline, nothing foreign, and no HTML made of texts but by the app's one policy. Browsers without
/// Trusted Types pass over those two directives.
const POLICY: &str = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svc";

/// Paths that belong to programs: what is not there is a problem document, never the page.
const PROGRAMS: [&str; 11] = [
    "/api",
    "/openapi",
    "/docs",
    "/mcp",
    "/.well-known",
    "/register",
    "/healthz",
    "/livez",
    "/readyz",
    "/version",
    "/metrics",
];

/// Answers what no route does: a file of the app, its page, or a problem.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    if PROGRAMS.iter().any(|area| is_under(path, area)) {
        return ApiError::from(NOT_FOUND.problem()).into_response();
    }
    if let Some(name) = path.strip_prefix('/').filter(|name| is_public(name)) {
        return read_only(&method, || file(name, &headers));
    }
    if is_missing_file(path) {
        return ApiError::from(NOT_FOUND.problem()).into_response();
    }
    read_only(&method, || file("index.html", &headers))
}

fn content(name: &str) -> Option<&'static [u8]> {
    FILES.get_file(name).map(|file| file.contents())
}

fn is_under(path: &str, area: &str) -> bool {
    path.strip_prefix(area).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a name is a file of the app. The page itself has no name of its own, the compressed forms have none,
/// and the list of the build's files is for tests.
fn is_public(name: &str) -> bool {
    let compressed = [".br", ".gz"].iter().any(|ending| name.ends_with(ending));
    !name.is_empty() && name != "index.html" && !compressed && content(name).is_some()
}

/// Whether a path can only be a file that the build does not have. Pages of an organization may have any name: wiki pages
/// are called `Release 1.2` and `notes.md`.
fn is_missing_file(path: &str) -> bool {
    let last = path.rsplit('/').next().unwrap_or_default();
    is_under(path, "/assets") || (last.contains('.') && !is_under(path, "/o"))
}

fn read_only(method: &Method, answer: impl FnOnce() -> Response) -> Response {
    match *method {
        Method::GET | Method::HEAD => answer(),
        _ => ApiError::from(METHOD.problem()).into_response(),
    }
}

fn file(name: &str, request: &HeaderMap) -> Response {
    let Some(plain) = content(name) else {
        return ApiError::from(NOT_FOUND.problem()).into_response();
    };
    let (encoding, bytes) = encoded(name, plain, request);
    let mut answer = if name.starts_with("assets/") {
        let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
        ([(header::CACHE_CONTROL, forever)], bytes).into_response()
    } else {
        svc_http::revalidated(request, tag(bytes, encoding), Body::from(bytes))
    };
    let headers = answer.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    if answer.status().is_success() {
        let headers = answer.headers_mut();
        headers.insert(header::CONTENT_TYPE, kind(name));
        if let Some(encoding) = encoding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
    }
    answer
}

/// The file in the smallest form that the client takes.
fn encoded(name: &str, plain: &'static [u8], request: &HeaderMap) -> (Option<&'static str>, &'static [u8]) {
    let forms = [("br", ".br"), ("gzip", ".gz")];
    let taken = forms.into_iter().filter(|(encoding, _)| accepts(request, encoding));
    let found = taken.filter_map(|(encoding, ending)| Some((encoding, content(&format!("{name}{ending}"))?)));
    match found.into_iter().next() {
        Some((encoding, bytes)) => (Some(encoding), bytes),
        None => (None, plain),
    }
}

/// Whether `Accept-Encoding` names the encoding without refusing it (`;q=0`).
fn accepts(request: &HeaderMap, encoding: &str) -> bool {
    let accepted = request.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        let weight = parts.find_map(|part| part.strip_prefix("q=")).map(str::parse::<f32>);
        named && !matches!(weight, Some(Ok(0.0)))
    })
}

/// A tag for a form of a file: its digest, and the encoding, because a tag names bytes.
fn tag(bytes: &[u8], encoding: Option<&str>) -> HeaderValue {
    let digest = hex::encode(&Sha256::digest(bytes)[..16]);
    let text = format!("\"{digest}-{}\"", encoding.unwrap_or("plain"));
    HeaderValue::from_str(&text).expect("hex and letters are visible ASCII")
}

fn kind(name: &str) -> HeaderValue {
    let ending = name.rsplit('.').next().unwrap_or_default();
    HeaderValue::from_static(match ending {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    })
}

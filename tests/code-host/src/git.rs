//! Git over HTTP, by git's own CGI program, for who shows a token of the repository that counts.

use std::process::Stdio;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, RawQuery, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, post};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, Method, StatusCode, header};
use tokio::io::AsyncWriteExt as _;

use crate::{Host, api, git_command};

pub(crate) fn routes() -> Router<Arc<Host>> {
    Router::new()
        .route("/login/oauth/access_token", post(api::exchange))
        .route("/{owner}/{name}/{*rest}", any(serve))
        .layer(DefaultBodyLimit::disable())
}

/// The password of HTTP's basic authentication.
fn password(headers: &HeaderMap) -> Option<String> {
    let shown = headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Basic ")?;
    let pair = String::from_utf8(STANDARD.decode(shown).ok()?).ok()?;
    let (user, password) = pair.split_once(':')?;
    (user == "x-access-token").then(|| password.to_owned())
}

/// Whether git may in: with a token of this repository that has not ended.
fn admits(host: &Host, repository: &str, headers: &HeaderMap) -> bool {
    let token = password(headers);
    let now = host.now();
    let mut facts = host.facts.lock();
    let counts = token.filter(|token| {
        facts.minted.get(token).is_some_and(|minted| {
            minted.writes && now < minted.ends && minted.repository.eq_ignore_ascii_case(repository)
        })
    });
    match counts {
        Some(token) => {
            if !facts.let_in.contains(&token) {
                facts.let_in.push(token);
            }
            true
        }
        None => {
            facts.turned_away += 1;
            false
        }
    }
}

async fn serve(
    State(host): State<Arc<Host>>,
    method: Method,
    Path((owner, name, rest)): Path<(String, String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some(name) = name.strip_suffix(".git") else { return StatusCode::NOT_FOUND.into_response() };
    let repository = format!("{owner}/{name}");
    if !admits(&host, &repository, &headers) {
        let challenge = [(header::WWW_AUTHENTICATE, "Basic realm=\"code host\"")];
        return (StatusCode::UNAUTHORIZED, challenge, "Authentication failed").into_response();
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut command = git_command();
    command
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", &host.repositories)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("REMOTE_USER", "x-access-token")
        .env("REQUEST_METHOD", method.as_str())
        .env("PATH_INFO", format!("/{}.git/{rest}", repository.to_lowercase()))
        .env("QUERY_STRING", query.unwrap_or_default())
        .env("CONTENT_TYPE", text("content-type"))
        .env("CONTENT_LENGTH", body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", text("content-encoding"))
        .env("GIT_PROTOCOL", text("git-protocol"));
    match run(command, &body).await {
        Some(output) => answer(&output),
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn run(command: std::process::Command, body: &[u8]) -> Option<Vec<u8>> {
    let mut command = tokio::process::Command::from(command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let mut child = command.spawn().ok()?;
    let mut input = child.stdin.take()?;
    let body = body.to_vec();
    // Beside the reading of its output: git answers before it has read everything.
    tokio::spawn(async move { input.write_all(&body).await });
    Some(child.wait_with_output().await.ok()?.stdout)
}

/// What a CGI program printed, as an answer.
fn answer(output: &[u8]) -> Response {
    let end = output.windows(4).position(|window| window == b"\r\n\r\n");
    let Some(end) = end else { return StatusCode::BAD_GATEWAY.into_response() };
    let mut response = Response::builder();
    for line in String::from_utf8_lossy(&output[..end]).lines() {
        let Some((name, value)) = line.split_once(": ") else { continue };
        response = match name.eq_ignore_ascii_case("status") {
            true => response.status(value.get(..3).unwrap_or("500")),
            false => response.header(name, value),
        };
    }
    let body = Body::from(output[end + 4..].to_vec());
    response.body(body).unwrap_or_else(|_| StatusCode::BAD_GATEWAY.into_response())
}

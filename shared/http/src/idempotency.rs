//! The header `Idempotency-Key`: a POST sent again answers what it answered the first time.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, Method, StatusCode, header};
use svc_app::idempotency::{Known, Remembered, forget, remember, reserve};
use svc_app::{App, Presented};

use crate::error::ApiError;
use crate::extract::{SESSION_COOKIE, bearer, cookie};
use crate::problems::{IN_PROGRESS, KEY_REUSED, MALFORMED, TOO_LARGE};

/// Bodies larger than this are not remembered.
const MAX_BODY: usize = 2 * 1024 * 1024;

/// Runs a request, honouring `Idempotency-Key` on POSTs that carry a credential.
pub(crate) async fn idempotent(app: &App, request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let headers = request.headers();
    let secret = bearer(headers).or_else(|| cookie(headers, SESSION_COOKIE));
    let key = headers.get("idempotency-key");
    let (Some(key), Some(secret)) = (key, secret) else {
        return next.run(request).await;
    };
    let Some(key) = key.to_str().ok().filter(|key| (1..=200).contains(&key.len())).map(str::to_owned) else {
        let problem = MALFORMED.because("An Idempotency-Key has 1 to 200 visible characters.");
        return ApiError::from(problem).into_response();
    };
    let caller = Presented::new(secret);
    match replay_or_run(app, &caller, &key, request, next).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

async fn replay_or_run(
    app: &App,
    caller: &Presented,
    key: &str,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, MAX_BODY).await.map_err(|_| TOO_LARGE.problem())?;
    let address = parts.uri.path_and_query().map_or("", |address| address.as_str());
    match reserve(app, caller, key, &[address.as_bytes(), &body]).await? {
        Known::Reply(reply) => Ok(replayed(reply)),
        Known::Pending => Err(IN_PROGRESS.because("Ask again in a moment.").into()),
        Known::Other => Err(KEY_REUSED.because("Choose a new key for a new request.").into()),
        Known::Fresh(reservation) => {
            let response = next.run(Request::from_parts(parts, Body::from(body))).await;
            let (head, body) = response.into_parts();
            let body = to_bytes(body, MAX_BODY).await.map_err(|_| TOO_LARGE.problem())?;
            let text = String::from_utf8(body.to_vec()).ok();
            let worth_remembering = head.status.is_success() || head.status == StatusCode::CONFLICT;
            let outcome = match text.filter(|_| worth_remembering) {
                Some(text) => {
                    let media_type = head.headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok());
                    let reply = Remembered {
                        status: head.status.as_u16(),
                        media_type: media_type.unwrap_or_default().to_owned(),
                        body: text,
                    };
                    remember(app, reservation, reply).await
                }
                None => forget(app, reservation).await,
            };
            if let Err(error) = outcome {
                tracing::warn!(%error, "an idempotent reply was not remembered");
            }
            Ok(Response::from_parts(head, Body::from(body)))
        }
    }
}

fn replayed(reply: Remembered) -> Response {
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK);
    let mut response = (status, reply.body).into_response();
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_TYPE);
    if let Ok(value) = HeaderValue::from_str(&reply.media_type)
        && !reply.media_type.is_empty()
    {
        headers.insert(header::CONTENT_TYPE, value);
    }
    headers.insert("idempotent-replayed", HeaderValue::from_static("true"));
    response
}

//! The header `Idempotency-Key`: a POST sent again answers what it answered the first time.
//!
//! The work goes on when its client leaves: who did not hear the answer finds it under the key.

use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::response::Parts;
use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use svc_app::idempotency::{Known, Remembered, Reservation, forget, remember, reserve};
use svc_app::{App, BearerCredential};

use crate::body::whole;
use crate::error::ApiError;
use crate::extract::{SESSION_COOKIE, bearer, cookie};
use crate::problems::{IN_PROGRESS, KEY_REUSED, MALFORMED};
use crate::trace::outlasting;

/// Headers of a reply that are part of what it says.
const TELLING: [HeaderName; 2] = [header::LOCATION, header::SET_COOKIE];

/// Runs a request, honouring `Idempotency-Key` on POSTs that carry a credential.
pub(crate) async fn idempotent(app: &Arc<App>, request: Request, next: Next) -> Response {
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
    let caller = BearerCredential::new(secret);
    let app = Arc::clone(app);
    let answered = async move { replay_or_run(&app, &caller, &key, request, next).await };
    match outlasting(answered).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

async fn replay_or_run(
    app: &App,
    caller: &BearerCredential,
    key: &str,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    let body = whole(Request::from_parts(parts.clone(), body)).await?;
    let address = parts.uri.path_and_query().map_or("", |address| address.as_str());
    match reserve(app, caller, key, &[address.as_bytes(), &body]).await? {
        Known::Reply(reply) => Ok(replayed(reply)),
        Known::Pending => Err(IN_PROGRESS.because("Ask again in a moment.").into()),
        Known::Other => Err(KEY_REUSED.because("Choose a new key for a new request.").into()),
        Known::Fresh(reservation) => {
            Ok(run(app, reservation, Request::from_parts(parts, Body::from(body)), next).await)
        }
    }
}

async fn run(app: &App, reservation: Reservation, request: Request, next: Next) -> Response {
    let (head, body) = next.run(request).await.into_parts();
    // What the handlers of a POST answer is at hand, so that reading it does not fail.
    let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let outcome = match worth_remembering(&head, &body) {
        Some(reply) => remember(app, reservation, reply).await,
        None => forget(app, reservation).await,
    };
    if let Err(error) = outcome {
        tracing::warn!(%error, "an idempotent reply was not remembered");
    }
    Response::from_parts(head, Body::from(body))
}

fn worth_remembering(head: &Parts, body: &Bytes) -> Option<Remembered> {
    let definite = head.status.is_success() || head.status == StatusCode::CONFLICT;
    // What nobody may keep is not kept here either: such a request is carried out again.
    let kept = head.headers.get(header::CACHE_CONTROL).is_none_or(|control| control != "no-store");
    if !definite || !kept {
        return None;
    }
    let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let told = |name: &HeaderName| {
        let name = name.clone();
        head.headers
            .get_all(&name)
            .iter()
            .map(move |value| (name.to_string(), text(value)))
            .collect::<Vec<_>>()
    };
    Some(Remembered {
        status: head.status.as_u16(),
        media_type: head.headers.get(header::CONTENT_TYPE).map(text).unwrap_or_default(),
        headers: TELLING.iter().flat_map(told).collect(),
        body: String::from_utf8(body.to_vec()).ok()?,
    })
}

fn replayed(reply: Remembered) -> Response {
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK);
    let mut response = (status, reply.body).into_response();
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_TYPE);
    let media_type = (header::CONTENT_TYPE.to_string(), reply.media_type);
    for (name, value) in reply.headers.into_iter().chain([media_type]) {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(&value))
            && !value.is_empty()
        {
            headers.append(name, value);
        }
    }
    headers.insert("idempotent-replayed", HeaderValue::from_static("true"));
    response
}

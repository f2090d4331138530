//! Successful responses of handlers.

use std::cell::RefCell;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;

use crate::error::ApiError;
use crate::idempotency::ReadAgain;
use crate::problems::INTERNAL;
use crate::reread::Tag;

/// 200 with a JSON body.
pub struct Json<T>(pub T);

/// 201 with a JSON body, of something that is read with others or not at all.
pub struct Created<T>(pub T);

/// 201 with a JSON body and, in `Location`, the address where the same can be read from now on: what comes after
/// `/api/v1`, of characters that need no encoding.
pub struct CreatedAt<T>(pub String, pub T);

/// 201 as [`CreatedAt`], of an answer that says more than what can be read at the address.
pub struct CreatedOnce<T>(pub String, pub T);

/// 204.
pub struct NoContent;

/// The header of an answer that nobody may keep, such as a credential that is made anew for each request.
pub fn kept_by_nobody() -> (HeaderName, String) {
    (header::CACHE_CONTROL, "no-store".to_owned())
}

/// 303: go and read there.
pub struct SeeOther(pub String);

/// 200 with a JSON body, or 204 when there is nothing.
pub struct JsonOrNothing<T>(pub Option<T>);

/// Any of the above with extra headers, such as `Set-Cookie`.
pub struct Reply<T> {
    /// The reply itself.
    pub body: T,
    /// Headers to add.
    pub headers: Vec<(HeaderName, String)>,
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        json(StatusCode::OK, &self.0)
    }
}

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        json(StatusCode::CREATED, &self.0)
    }
}

impl<T: Serialize> IntoResponse for CreatedAt<T> {
    fn into_response(self) -> Response {
        (Extension(ReadAgain), CreatedOnce(self.0, self.1)).into_response()
    }
}

impl<T: Serialize> IntoResponse for CreatedOnce<T> {
    fn into_response(self) -> Response {
        let location = [(header::LOCATION, format!("/api/v1{}", self.0))];
        (location, json(StatusCode::CREATED, &self.1)).into_response()
    }
}

/// Room that a thread keeps for writing answers, in bytes: a longer one gives its room back.
const ROOM: usize = 64 * 1_024;

thread_local! {
    static WRITING: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Writes JSON where the thread wrote the answer before, and takes it out whole: it never moves while it grows, and no
/// more is kept of it than it is long.
fn written<T: Serialize>(value: &T) -> serde_json::Result<Bytes> {
    let mut room = WRITING.take();
    room.clear();
    serde_json::to_writer(&mut room, value)?;
    let body = Bytes::copy_from_slice(&room);
    if room.capacity() <= ROOM {
        WRITING.set(room);
    }
    Ok(body)
}

fn json<T: Serialize>(status: StatusCode, value: &T) -> Response {
    let body = match written(value) {
        Ok(body) => body,
        Err(error) => {
            tracing::error!(%error, "an answer cannot be written as JSON");
            return ApiError::from(INTERNAL.problem()).into_response();
        }
    };
    let tag = Tag::of(&body);
    let mut response = Response::new(Body::from(body));
    if status == StatusCode::OK {
        response.extensions_mut().insert(tag);
    }
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

impl<T: Serialize> IntoResponse for JsonOrNothing<T> {
    fn into_response(self) -> Response {
        match self.0 {
            Some(body) => Json(body).into_response(),
            None => NoContent.into_response(),
        }
    }
}

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl IntoResponse for SeeOther {
    fn into_response(self) -> Response {
        let mut response = StatusCode::SEE_OTHER.into_response();
        if let Ok(address) = self.0.parse() {
            response.headers_mut().insert(header::LOCATION, address);
        }
        response
    }
}

impl<T: IntoResponse> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        let mut response = self.body.into_response();
        for (name, value) in self.headers {
            if let Ok(value) = value.parse() {
                response.headers_mut().append(name, value);
            }
        }
        response
    }
}

/// The body with its tag, or 304 for a client that shows the tag. Whoever keeps a copy asks each time whether
/// it is still good.
pub fn revalidated(request: &HeaderMap, etag: HeaderValue, body: impl IntoResponse) -> Response {
    let known = request.get(header::IF_NONE_MATCH).is_some_and(|shown| *shown == etag);
    let headers = [(header::ETAG, etag), (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"))];
    if known {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, body).into_response()
}

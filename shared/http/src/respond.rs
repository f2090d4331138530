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

/// 200 with a JSON body that also says when it was made: these passages of it do not make it another answer to whoever has
/// a copy.
pub struct SteadyJson<T>(pub T, pub Vec<String>);

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

impl<T: Serialize> IntoResponse for SteadyJson<T> {
    fn into_response(self) -> Response {
        json_but(StatusCode::OK, &self.0, &self.1)
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

/// The largest room that a thread keeps for writing answers, in bytes.
const ROOM: usize = 64 * 1_024;

/// Shorter answers are copied out of the room that they were written in.
const SHORT: usize = 4 * 1_024;

thread_local! {
    static WRITING: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// An answer in the room that it was written in, which goes to the next one that the thread writes.
struct Written(Vec<u8>);

impl AsRef<[u8]> for Written {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        keep(std::mem::take(&mut self.0));
    }
}

/// Keeps room for the next answer of this thread, unless it has some.
fn keep(room: Vec<u8>) {
    // A thread that ends keeps none.
    let _ = WRITING.try_with(|kept| {
        if room.capacity() <= ROOM && room.capacity() > kept.borrow().capacity() {
            kept.replace(room);
        }
    });
}

/// Writes JSON in the room that the thread keeps, so that it rarely moves while it grows. A long answer stays in it
/// until it is sent, unless the room is more than twice as large.
fn written<T: Serialize>(value: &T) -> serde_json::Result<Bytes> {
    let mut room = WRITING.take();
    room.clear();
    serde_json::to_writer(&mut room, value)?;
    if room.len() >= SHORT && room.capacity() <= 2 * room.len() {
        return Ok(Bytes::from_owner(Written(room)));
    }
    let body = Bytes::copy_from_slice(&room);
    keep(room);
    Ok(body)
}

fn json<T: Serialize>(status: StatusCode, value: &T) -> Response {
    json_but(status, value, &[])
}

/// The same, whose tag leaves the first of each of these passages out.
fn json_but<T: Serialize>(status: StatusCode, value: &T, passing: &[String]) -> Response {
    let body = match written(value) {
        Ok(body) => body,
        Err(error) => {
            tracing::error!(%error, "an answer cannot be written as JSON");
            return ApiError::from(INTERNAL.problem()).into_response();
        }
    };
    let tag = if passing.is_empty() { Tag::of(&body) } else { Tag::of(&without(&body, passing)) };
    let mut response = Response::new(Body::from(body));
    if status == StatusCode::OK {
        response.extensions_mut().insert(tag);
    }
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Bytes without the first of each of these passages.
fn without(body: &[u8], passages: &[String]) -> Vec<u8> {
    let mut rest = body.to_vec();
    for passage in passages.iter().map(String::as_bytes).filter(|passage| !passage.is_empty()) {
        if let Some(at) = rest.windows(passage.len()).position(|window| window == passage) {
            rest.drain(at..at + passage.len());
        }
    }
    rest
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

/// The body with its tag, or 304 for a client that shows the tag. A client that keeps a copy asks each time whether
/// it is still good.
pub fn revalidated(request: &HeaderMap, etag: HeaderValue, body: impl IntoResponse) -> Response {
    let known = request.get(header::IF_NONE_MATCH).is_some_and(|shown| *shown == etag);
    let headers = [(header::ETAG, etag), (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"))];
    if known {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, body).into_response()
}

#[cfg(test)]
mod tests {
    use super::{ROOM, SHORT, WRITING, written};

    fn room() -> usize {
        WRITING.with_borrow(Vec::capacity)
    }

    #[test]
    fn answers_that_wait_to_be_sent_are_not_written_over() {
        let texts: Vec<String> = (0..20).map(|n| n.to_string().repeat(n * SHORT / 8)).collect();
        let answers: Vec<_> = texts.iter().map(|text| written(text).unwrap()).collect();
        for (text, answer) in texts.iter().zip(&answers) {
            assert!(*answer == format!("\"{text}\""), "{}", text.len());
        }
    }

    #[test]
    fn a_thread_keeps_the_room_of_one_answer_that_is_not_huge() {
        let long = "x".repeat(2 * SHORT);
        let answers = [written(&long).unwrap(), written(&long).unwrap()];
        assert_eq!(room(), 0, "both are in theirs");
        drop(answers);
        let kept = room();
        assert!(kept > 2 * SHORT, "{kept}");
        drop(written(&long).unwrap());
        drop(written(&"short").unwrap());
        assert_eq!(room(), kept);
        drop(written(&"x".repeat(ROOM)).unwrap());
        assert!(room() <= ROOM, "{}", room());
    }
}

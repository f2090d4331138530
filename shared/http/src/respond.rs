//! What handlers answer when they succeed.

use axum::response::{IntoResponse, Response};
use http::{HeaderName, StatusCode};
use serde::Serialize;

/// 200 with a JSON body.
pub struct Json<T>(pub T);

/// 201 with a JSON body.
pub struct Created<T>(pub T);

/// 204.
pub struct NoContent;

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
        axum::Json(self.0).into_response()
    }
}

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, axum::Json(self.0)).into_response()
    }
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

//! The error that handlers answer: a problem document, with the private cause logged and never sent.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use svc_api::{Problem, problem::MEDIA_TYPE};
use svc_app::Error;
use svc_domain::refusal::{FieldErrors, Refusal};

use crate::problems::{RATE_LIMITED, UNAUTHENTICATED, WRONG_PASSWORD, problem_of};
use crate::trace::current_trace_id;

/// An error on its way out.
#[derive(Debug)]
pub struct ApiError {
    problem: Box<Problem>,
    retry_after: Option<u32>,
}

/// Result of a handler.
pub type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    /// The problem document, without its trace id.
    pub const fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl From<Problem> for ApiError {
    fn from(problem: Problem) -> Self {
        Self { problem: Box::new(problem), retry_after: None }
    }
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        let problem = problem_of(&error);
        let retry_after = match &error {
            Error::Refused(Refusal::RateLimited { retry_after }) => Some(*retry_after),
            Error::Refused(_) | Error::Storage(_) | Error::Repeated => None,
        };
        if problem.status >= 500 {
            tracing::error!(error = &error as &dyn std::error::Error, "request failed");
        } else {
            tracing::debug!(%error, kind = problem.kind, "request refused");
        }
        Self { problem: Box::new(problem), retry_after }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        Error::Refused(refusal).into()
    }
}

impl From<FieldErrors> for ApiError {
    fn from(errors: FieldErrors) -> Self {
        Error::from(errors).into()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut problem = *self.problem;
        problem.trace_id = current_trace_id();
        let status =
            http::StatusCode::from_u16(problem.status).unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_vec(&problem).unwrap_or_default();
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        if [UNAUTHENTICATED.slug, WRONG_PASSWORD.slug].contains(&problem.kind.as_str()) {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after.filter(|_| problem.kind == RATE_LIMITED.slug) {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

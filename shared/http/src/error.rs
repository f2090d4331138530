//! The error type of handlers: a problem document, with the private cause logged and never sent.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use svc_api::{Problem, problem::MEDIA_TYPE};
use svc_app::{Error, StorageError};
use svc_domain::refusal::{FieldErrors, Refusal};

use crate::new_key::NewKey;
use crate::problems::{RATE_LIMITED, UNAUTHENTICATED, UNAVAILABLE, WRONG_PASSWORD, problem_of};
use crate::trace::current_trace_id;

/// An error on its way out.
#[derive(Debug)]
pub struct ApiError {
    problem: Box<Problem>,
    retry_after: Option<u32>,
    moved: Option<NewKey>,
}

/// Result of a handler.
pub type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    /// The problem document, without its trace id.
    pub const fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl ApiError {
    /// The same, with when to try again in seconds: for those whose kind is [`RATE_LIMITED`].
    pub(crate) fn again_in(mut self, seconds: u32) -> Self {
        self.retry_after = Some(seconds);
        self
    }
}

impl From<Problem> for ApiError {
    fn from(problem: Problem) -> Self {
        Self { problem: Box::new(problem), retry_after: None, moved: None }
    }
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        let problem = problem_of(&error);
        let retry_after = match &error {
            Error::Refused(Refusal::RateLimited { retry_after }) => Some(*retry_after),
            Error::Busy | Error::Storage(StorageError::Unavailable(_)) => Some(1),
            Error::Refused(_) | Error::Storage(_) | Error::MailAway(_) | Error::Repeated => None,
        };
        if matches!(error, Error::Busy | Error::Storage(StorageError::Full | StorageError::Unusable(_))) {
            // Those say it themselves, once rather than with each request.
            tracing::debug!(%error, "request failed");
        } else if problem.status >= 500 {
            tracing::error!(error = with_causes(&error), "request failed");
        } else {
            tracing::debug!(%error, kind = problem.kind, "request refused");
        }
        let moved = match error {
            Error::Refused(Refusal::ItemTransferred { from, to }) => Some(NewKey { from, to }),
            _ => None,
        };
        Self { problem: Box::new(problem), retry_after, moved }
    }
}

/// An error and its causes, on one line: as JSON, the log has only the error's own words.
fn with_causes(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source())
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
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

/// Longest text of a problem document, in characters: what people sent is quoted in it, and may be a megabyte.
const LONGEST: usize = 1_000;
/// Characters that are kept of the beginning of a longer one; what to do stands at the end.
const BEGINNING: usize = 200;
/// Most fields that are named, and most messages of one.
const MOST_FIELDS: usize = 100;
const MOST_MESSAGES: usize = 20;

/// The problem with its texts cut to what somebody reads.
fn short(problem: Problem) -> Problem {
    let errors = problem.errors.into_iter().take(MOST_FIELDS);
    let messages = |said: Vec<String>| said.into_iter().take(MOST_MESSAGES).map(cut).collect();
    Problem {
        detail: problem.detail.map(cut),
        holder: problem.holder.map(cut),
        errors: errors.map(|(field, said)| (cut(field), messages(said))).collect(),
        ..problem
    }
}

fn cut(text: String) -> String {
    let length = if text.len() <= LONGEST { 0 } else { text.chars().count() };
    if length <= LONGEST {
        return text;
    }
    let beginning: String = text.chars().take(BEGINNING).collect();
    let end: String = text.chars().skip(length - (LONGEST - BEGINNING)).collect();
    format!("{beginning} … {end}")
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut problem = short(*self.problem);
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
        let passes = [RATE_LIMITED.slug, UNAVAILABLE.slug].contains(&problem.kind.as_str());
        if let Some(seconds) = self.retry_after.filter(|_| passes) {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(moved) = self.moved {
            response.extensions_mut().insert(moved);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use svc_app::{Error, StorageError};
    use svc_domain::refusal::FieldErrors;

    use super::{ApiError, LONGEST, short, with_causes};
    use crate::problems::MALFORMED;

    /// On Lambda, where logs are JSON, nothing said that a role might not write to the bucket.
    #[test]
    fn the_log_has_the_cause_of_an_error() {
        let away = Error::Storage(StorageError::Unavailable("AccessDenied: s3:PutObject".into()));
        assert_eq!(with_causes(&away), "the storage engine is unavailable: AccessDenied: s3:PutObject");
    }

    #[test]
    fn what_was_sent_is_quoted_in_part_and_what_to_do_stays() {
        let mut errors = FieldErrors::default();
        for _ in 0..1_000 {
            errors.add("labels", format!("{:?} is not a label: use fewer characters.", "é".repeat(10_000)));
        }
        errors.add(&"f".repeat(1_000_000), "unknown field");
        let problem = short(*ApiError::from(errors).problem);
        let said = &problem.errors["labels"];
        assert!(said[0].starts_with("\"éé") && said[0].ends_with("use fewer characters."), "{}", said[0]);
        assert!(serde_json::to_string(&problem).unwrap().len() < 50_000);
        let detail = short(MALFORMED.because("a".repeat(2_000_000))).detail.unwrap();
        assert!(detail.chars().count() <= LONGEST + 3);
        assert_eq!(short(MALFORMED.because("as it is")).detail.unwrap(), "as it is");
    }
}

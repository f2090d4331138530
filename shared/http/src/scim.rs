//! Answers of SCIM 2.0: resources with their version, lists, and errors (RFC 7644, sections 3.4.2, 3.12 and 3.14).

use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};
use jiff::Timestamp;
use serde_json::{Value, json};
use svc_app::Error;
use svc_domain::refusal::Refusal;

use crate::error::ApiError;

const MEDIA_TYPE: &str = "application/scim+json";

/// Result of a handler.
pub type ScimResult = Result<Response, ScimError>;

/// An error as the protocol writes it.
#[derive(Debug)]
pub struct ScimError {
    status: StatusCode,
    scim_type: Option<&'static str>,
    detail: String,
    /// `Retry-After` and `WWW-Authenticate`, where there are such.
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl ScimError {
    /// What is wrong with the request (RFC 7644, table 9).
    pub fn bad(scim_type: &'static str, detail: impl Into<String>) -> Self {
        let scim_type = Some(scim_type);
        Self { status: StatusCode::BAD_REQUEST, scim_type, detail: detail.into(), headers: Vec::new() }
    }
}

impl From<Error> for ScimError {
    fn from(error: Error) -> Self {
        let (status, scim_type) = match &error {
            Error::Refused(Refusal::Invalid(_)) => (Some(StatusCode::BAD_REQUEST), Some("invalidValue")),
            Error::Refused(Refusal::AlreadyExists(_)) => (Some(StatusCode::CONFLICT), Some("uniqueness")),
            Error::Refused(Refusal::StaleVersion { .. }) => (Some(StatusCode::PRECONDITION_FAILED), None),
            _ => (None, None),
        };
        let wrong = match &error {
            Error::Refused(Refusal::Invalid(errors)) => {
                let said = errors.0.iter().map(|(field, why)| format!("{field}: {}", why.join("; ")));
                Some(said.collect::<Vec<_>>().join(". "))
            }
            _ => None,
        };
        let mut known = Self::from(ApiError::from(error));
        known.status = status.unwrap_or(known.status);
        known.scim_type = scim_type;
        known.detail = wrong.unwrap_or(known.detail);
        known
    }
}

impl From<ApiError> for ScimError {
    fn from(error: ApiError) -> Self {
        let detail = error.problem().detail.clone().unwrap_or_else(|| error.problem().title.clone());
        let answer = error.into_response();
        let kept = [header::RETRY_AFTER, header::WWW_AUTHENTICATE];
        let headers = kept.into_iter().filter_map(|name| {
            let value = answer.headers().get(&name)?.clone();
            Some((name, value))
        });
        Self { status: answer.status(), scim_type: None, detail, headers: headers.collect() }
    }
}

impl IntoResponse for ScimError {
    fn into_response(self) -> Response {
        let mut body = json!({
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:Error"],
            "status": self.status.as_u16().to_string(),
            "detail": self.detail,
        });
        if let Some(scim_type) = self.scim_type {
            body["scimType"] = scim_type.into();
        }
        let mut answer = written(self.status, &body);
        answer.headers_mut().extend(self.headers);
        answer
    }
}

/// What the service says of itself.
pub fn said(body: &Value) -> Response {
    written(StatusCode::OK, body)
}

/// A resource.
pub fn found(body: &Value) -> Response {
    resource(StatusCode::OK, body)
}

/// A resource that was created.
pub fn created(body: &Value) -> Response {
    resource(StatusCode::CREATED, body)
}

/// What was deleted.
pub fn gone() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

/// An answer in the protocol's media type. Nobody keeps it.
fn written(status: StatusCode, body: &Value) -> Response {
    let headers = [(header::CONTENT_TYPE, MEDIA_TYPE), (header::CACHE_CONTROL, "no-store")];
    (status, headers, body.to_string()).into_response()
}

/// A resource with its `ETag` and its address.
fn resource(status: StatusCode, body: &Value) -> Response {
    let mut answer = written(status, body);
    let said = |name: &str| body["meta"][name].as_str().and_then(|text| HeaderValue::from_str(text).ok());
    let headers = answer.headers_mut();
    headers.extend(said("version").map(|version| (header::ETAG, version)));
    headers.extend(said("location").map(|location| (header::LOCATION, location)));
    answer
}

/// The part of a list that was asked for. `start` counts from 1.
pub fn list(resources: Vec<Value>, total: usize, start: usize) -> Response {
    let body = json!({
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
        "totalResults": total,
        "startIndex": start,
        "itemsPerPage": resources.len(),
        "Resources": resources,
    });
    written(StatusCode::OK, &body)
}

/// What every resource says of itself.
pub fn meta(kind: &str, location: &str, created: Timestamp, changed: Timestamp, version: u64) -> Value {
    json!({
        "resourceType": kind,
        "created": created,
        "lastModified": changed,
        "location": location,
        "version": format!("W/\"{version}\""),
    })
}

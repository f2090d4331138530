//! What requests of the protocol have in common: caller, path, query, body and the version that was read.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use http::{HeaderMap, header};
use serde::Deserialize;
use serde_json::Value;
use svc_app::App;
use svc_app::identity::directory::Filter;
use svc_domain::ids::OrgSlug;
use svc_domain::refusal::Refusal;
use svc_http::Caller;
use svc_http::scim::ScimError;

use super::filter::filter;

/// Resources of an answer at most, and where a request says no number.
const PAGE: usize = 200;

/// A request: who asks where.
pub(super) struct Asked {
    caller: Caller,
    pub(super) slug: OrgSlug,
    /// The name of the resource, which need not be an id.
    id: Option<String>,
    query: Listing,
    version: Option<String>,
    body: Bytes,
}

#[derive(Debug, Deserialize)]
struct Place {
    slug: String,
    #[serde(default)]
    id: Option<String>,
}

/// The query of a list (RFC 7644, section 3.4.2).
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Listing {
    filter: Option<String>,
    start_index: Option<i64>,
    count: Option<i64>,
    excluded_attributes: Option<String>,
}

/// Which part of a list is asked for.
pub(super) struct Part {
    pub(super) filter: Filter,
    /// Counts from 1.
    pub(super) start: usize,
    pub(super) count: usize,
}

impl Asked {
    pub(super) fn caller(&self) -> svc_app::Caller<'_> {
        self.caller.at(&self.slug)
    }

    /// The id in the path. Whatever is no id names nothing.
    pub(super) fn id<T: std::str::FromStr>(&self) -> Result<T, ScimError> {
        let id = self.id.as_deref().and_then(|id| id.parse().ok());
        id.ok_or_else(|| svc_app::Error::from(Refusal::NotFound).into())
    }

    /// The version of `If-Match`, if it names one.
    pub(super) fn version(&self) -> Result<Option<u64>, ScimError> {
        let Some(text) = self.version.as_deref().filter(|text| *text != "*") else { return Ok(None) };
        let text = text.strip_prefix("W/").unwrap_or(text).trim_matches('"');
        // What is no version of ours is not the current one.
        Ok(Some(text.parse().unwrap_or(0)))
    }

    pub(super) fn part(&self) -> Result<Part, ScimError> {
        let start = usize::try_from(self.query.start_index.unwrap_or(1).max(1)).unwrap_or(1);
        let count = self.query.count.map_or(PAGE, |count| usize::try_from(count).unwrap_or(0).min(PAGE));
        let filter = self.query.filter.as_deref().map_or(Ok(Filter::All), filter)?;
        Ok(Part { filter, start, count })
    }

    /// Whether an attribute is to be left out.
    pub(super) fn excludes(&self, attribute: &str) -> bool {
        let excluded = self.query.excluded_attributes.as_deref().unwrap_or_default();
        excluded.split(',').any(|named| named.trim().eq_ignore_ascii_case(attribute))
    }

    pub(super) fn body(&self) -> Result<Value, ScimError> {
        let body: Value = serde_json::from_slice(&self.body)
            .map_err(|error| ScimError::bad("invalidSyntax", format!("the body is no JSON: {error}")))?;
        if body.is_object() {
            Ok(body)
        } else {
            Err(ScimError::bad("invalidSyntax", "the body is no object"))
        }
    }
}

impl FromRequest<Arc<App>> for Asked {
    type Rejection = ScimError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ScimError> {
        let (mut parts, body) = request.into_parts();
        let caller = Caller::from_request_parts(&mut parts, app).await?;
        let place: Result<Path<Place>, PathRejection> = Path::from_request_parts(&mut parts, app).await;
        let nowhere = || ScimError::from(svc_app::Error::from(Refusal::NotFound));
        let Path(Place { slug, id }) = place.map_err(|_| nowhere())?;
        let slug = slug.parse().map_err(|_| nowhere())?;
        let query = axum::extract::Query::<Listing>::try_from_uri(&parts.uri)
            .map_err(|error| ScimError::bad("invalidValue", error.body_text()))?
            .0;
        let version = if_match(&parts.headers);
        let read = Bytes::from_request(Request::from_parts(parts, body), app).await;
        let body =
            read.map_err(|error: BytesRejection| ScimError::bad("invalidSyntax", error.body_text()))?;
        Ok(Self { caller, slug, id, query, version, body })
    }
}

fn if_match(headers: &HeaderMap) -> Option<String> {
    Some(headers.get(header::IF_MATCH)?.to_str().ok()?.trim().to_owned())
}

/// A text of a resource; `None` where it is absent or null.
pub(super) fn text(value: &Value) -> Result<Option<String>, ScimError> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        Value::Number(number) => Ok(Some(number.to_string())),
        _ => Err(ScimError::bad("invalidValue", "a text is wanted")),
    }
}

/// A truth, which some providers write as a text (`"True"`).
pub(super) fn truth(value: &Value) -> Result<bool, ScimError> {
    match value {
        Value::Bool(truth) => Ok(*truth),
        Value::String(text) if text.eq_ignore_ascii_case("true") => Ok(true),
        Value::String(text) if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err(ScimError::bad("invalidValue", "active is true or false")),
    }
}

/// The attribute of a resource by its name, whose case does not matter (RFC 7643, section 2.1).
pub(super) fn attribute<'a>(body: &'a Value, name: &str) -> &'a Value {
    let found = body.as_object().and_then(|fields| {
        fields.iter().find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    });
    found.unwrap_or(&Value::Null)
}

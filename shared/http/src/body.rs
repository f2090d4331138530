//! The JSON body of a request, and a problem for each way in which it can be invalid.

use std::marker::PhantomData;
use std::time::Duration;

use aide::generate::GenContext;
use aide::openapi::Operation;
use aide::operation::OperationInput;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, JsonRejection};
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use http::{HeaderMap, StatusCode, header};
use schemars::JsonSchema;
use serde::de::{DeserializeOwned, IgnoredAny};
use svc_api::Problem;

use crate::error::ApiError;
use crate::problems::{MALFORMED, MEDIA_TYPE, TOO_LARGE, VALIDATION};

/// Bytes of a body at most, where its route says nothing else: the longest text that any route takes (200,000
/// characters of a wiki page), though each character is written as an escape of six, and what is beside it.
pub(crate) const MAX_BODY: usize = 2 * 1024 * 1024;

/// Bytes of a body at most, for routes that take larger ones: their layer is `Extension(BodyLimit(…))`.
#[derive(Clone, Copy, Debug)]
pub struct BodyLimit(pub usize);

/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(30);

/// A JSON object. Unknown fields are refused where the type says so.
pub struct Body<T>(pub T);

impl<T, S> FromRequest<S> for Body<T>
where
    T: DeserializeOwned,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Self, ApiError> {
        read(&json_bytes(request).await?).map(Self)
    }
}

/// The very bytes of a body, which may be signed, and the JSON object that they are, once somebody asks.
pub struct Exact<T> {
    bytes: Bytes,
    is_json: bool,
    what: PhantomData<T>,
}

impl<T: DeserializeOwned> Exact<T> {
    /// As it arrived.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What it says.
    ///
    /// # Errors
    /// For a body that does not say that.
    pub fn read(&self) -> Result<T, ApiError> {
        if self.is_json { read(&self.bytes) } else { Err(MEDIA_TYPE.problem().into()) }
    }
}

impl<T, S> FromRequest<S> for Exact<T>
where
    T: DeserializeOwned,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Self, ApiError> {
        let is_json = declares_json(request.headers());
        Ok(Self { bytes: any_bytes(request).await?, is_json, what: PhantomData })
    }
}

impl<T: JsonSchema> OperationInput for Exact<T> {
    fn operation_input(ctx: &mut GenContext, operation: &mut Operation) {
        axum::Json::<T>::operation_input(ctx, operation);
    }
}

/// All bytes of a body that is said to be JSON, unread.
///
/// # Errors
/// For another media type, a body that is too large, or one that does not arrive.
pub async fn json_bytes(request: Request) -> Result<Bytes, ApiError> {
    if !declares_json(request.headers()) {
        return Err(MEDIA_TYPE.problem().into());
    }
    any_bytes(request).await
}

/// The same, whatever it is said to be.
async fn any_bytes(request: Request) -> Result<Bytes, ApiError> {
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        return Err(MEDIA_TYPE.because("Send it as it is, without Content-Encoding.").into());
    }
    whole(request).await
}

/// All bytes of a body. One that is too large is refused before it is read, where its size is told.
pub(crate) async fn whole(request: Request) -> Result<Bytes, ApiError> {
    whole_within(PATIENCE, request).await
}

async fn whole_within(patience: Duration, mut request: Request) -> Result<Bytes, ApiError> {
    let most = request.extensions().get().map_or(MAX_BODY, |BodyLimit(most)| *most);
    let told =
        request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if told.is_some_and(|told: u64| told > most as u64) {
        return Err(too_large(most).into());
    }
    DefaultBodyLimit::max(most).apply(&mut request);
    match tokio::time::timeout(patience, Bytes::from_request(request, &())).await {
        Ok(read) => read.map_err(|rejection| unread(&rejection, most).into()),
        Err(_) => Err(MALFORMED.because("The body did not arrive in time.").into()),
    }
}

fn too_large(most: usize) -> Problem {
    TOO_LARGE.because(format!("A body has at most {most} bytes."))
}

fn unread(rejection: &BytesRejection, most: usize) -> Problem {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(most),
        _ => MALFORMED.because("The body ended before it was complete."),
    }
}

fn declares_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()) else {
        return false;
    };
    let essence = value.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    // Lists would be read as objects whose fields have these values in this order.
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        return Err(invalid("body", "must be an object").into());
    }
    let rejection = match axum::Json::<T>::from_bytes(bytes) {
        Ok(axum::Json(value)) => return Ok(value),
        Err(rejection) => rejection,
    };
    let text = rejection.body_text();
    let said = text.split_once(": ").map_or(text.as_str(), |(_introduction, said)| said);
    // What the reader did not expect where a word must be, it calls no JSON, whatever it is.
    let readable = || serde_json::from_slice::<IgnoredAny>(bytes).is_ok();
    let problem = match rejection {
        JsonRejection::JsonDataError(_) => field_problem(said),
        JsonRejection::JsonSyntaxError(_) if readable() => {
            field_problem(&said.replace(": expected value at ", ": expected a string at "))
        }
        _ => MALFORMED.because(text),
    };
    Err(problem.into())
}

/// The problem of one field, from what the reader of JSON says: `path: what is wrong at line 1 column 2`.
fn field_problem(said: &str) -> Problem {
    let said = said.rsplit_once(" at line ").map_or(said, |(said, _place)| said);
    let (path, message) = match said.split_once(": ") {
        // A path has no spaces; what begins with words is all message.
        Some((path, message)) if !path.contains(' ') => (path, message),
        Some(_) | None => ("", said),
    };
    if let Some((field, message)) = misplaced(message) {
        let field = if path.is_empty() || path == "." { field.to_owned() } else { format!("{path}.{field}") };
        return invalid(&field, message);
    }
    invalid(if path.is_empty() || path == "." { "body" } else { path }, &for_people(message))
}

/// Words of the reader that only its programmers know, and what people call it.
const WORDS: [(&str, &str); 9] = [
    ("expected a sequence", "expected a list"),
    ("expected a map", "expected an object"),
    ("expected f64", "expected a number"),
    ("expected u64", "expected a whole number from 0"),
    ("expected u32", "expected a whole number from 0"),
    ("expected u8", "expected a whole number from 0"),
    ("expected i64", "expected a whole number"),
    ("expected i32", "expected a whole number"),
    ("expected usize", "expected a whole number from 0"),
];

/// How the reader of days and times says that something is none: words about its own types follow.
const NO_TIME: [&str; 2] = ["failed to parse", "failed to convert"];

fn for_people(message: &str) -> String {
    if NO_TIME.iter().any(|words| message.starts_with(words)) {
        return "expected a day such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z".to_owned();
    }
    if let Some((before, _name)) = message.split_once("expected struct ") {
        return format!("{before}expected an object");
    }
    let known = WORDS.iter().find(|(theirs, _)| message.ends_with(theirs));
    known.map_or_else(|| message.to_owned(), |(theirs, ours)| message.replace(theirs, ours))
}

/// The field that is not there, or there twice, and how to say so.
pub(crate) fn misplaced(said: &str) -> Option<(&str, &'static str)> {
    let missing = said.strip_prefix("missing field `").zip(Some("required"));
    let (rest, message) =
        missing.or_else(|| said.strip_prefix("duplicate field `").zip(Some("given twice")))?;
    Some((rest.strip_suffix('`')?, message))
}

fn invalid(field: &str, message: &str) -> Problem {
    let mut problem = VALIDATION.problem();
    problem.errors.insert(field.to_owned(), vec![message.to_owned()]);
    problem
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::body::Body;
    use axum::extract::Request;
    use futures::stream;
    use serde::Deserialize;

    use super::{read, whole_within};

    #[tokio::test]
    async fn a_body_that_does_not_come_is_not_waited_for() {
        let never = stream::pending::<Result<&'static str, std::io::Error>>();
        let request = Request::new(Body::from_stream(never));
        let error = whole_within(Duration::from_millis(10), request).await.unwrap_err();
        let problem = error.problem();
        assert_eq!(
            (problem.status, problem.detail.as_deref()),
            (400, Some("The body did not arrive in time."))
        );
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Outer {
        name: String,
        inner: Inner,
        #[serde(default)]
        labels: Vec<String>,
        #[serde(default)]
        estimate: f64,
        #[serde(default)]
        version: u64,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Inner {
        slug: String,
        #[serde(default)]
        kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    enum Kind {
        Task,
    }

    #[test]
    fn the_field_that_is_wrong_is_named() {
        for (body, field, message) in [
            (r#"{"inner":{"slug":"a"}}"#, "name", "required"),
            (r#"{"name":"a","name":"b","inner":{"slug":"a"}}"#, "name", "given twice"),
            (r#"{"name":"a","inner":{}}"#, "inner.slug", "required"),
            (r#"{"name":1,"inner":{"slug":"a"}}"#, "name", "invalid type: integer `1`, expected a string"),
            (r#"{"name":"a","inner":7}"#, "inner", "invalid type: integer `7`, expected an object"),
            (r#"{"name":"a","inner":{"x":1}}"#, "inner.x", "unknown field `x`, expected `slug` or `kind`"),
            (r#"{"name":"a","inner":{"slug":"a","kind":[[1]]}}"#, "inner.kind", "expected a string"),
            (
                r#"{"name":"a","inner":{"slug":"a","kind":"x"}}"#,
                "inner.kind",
                "unknown variant `x`, expected `task`",
            ),
            (
                r#"{"name":"a","inner":{"slug":"a"},"labels":null}"#,
                "labels",
                "invalid type: null, expected a list",
            ),
            (
                r#"{"name":"a","inner":{"slug":"a"},"estimate":"3"}"#,
                "estimate",
                r#"invalid type: string "3", expected a number"#,
            ),
            (
                r#"{"name":"a","inner":{"slug":"a"},"version":-1}"#,
                "version",
                "invalid value: integer `-1`, expected a whole number from 0",
            ),
            (r#" ["a",{"slug":"b"}]"#, "body", "must be an object"),
            ("7", "body", "invalid type: integer `7`, expected an object"),
            ("null", "body", "invalid type: null, expected an object"),
        ] {
            let error = read::<Outer>(body.as_bytes()).unwrap_err();
            assert_eq!(
                error.problem().errors.clone().into_iter().collect::<Vec<_>>(),
                [(field.to_owned(), vec![message.to_owned()])]
            );
        }
    }
}

//! The JSON body that a handler takes, and the problem of each way in which it is not what it should be.

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, JsonRejection};
use axum::extract::{FromRequest, Request};
use http::{HeaderMap, StatusCode, header};
use serde::de::{DeserializeOwned, IgnoredAny};
use svc_api::Problem;

use crate::error::ApiError;
use crate::problems::{MALFORMED, MEDIA_TYPE, TOO_LARGE, VALIDATION};

/// A JSON object. Unknown fields are refused where the type says so.
pub struct Body<T>(pub T);

impl<T, S> FromRequest<S> for Body<T>
where
    T: DeserializeOwned,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        if !declares_json(request.headers()) {
            return Err(MEDIA_TYPE.problem().into());
        }
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| unread(&rejection))?;
        read(&bytes).map(Self)
    }
}

fn declares_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()) else {
        return false;
    };
    let essence = value.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

pub(crate) fn unread(rejection: &BytesRejection) -> Problem {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => TOO_LARGE.problem(),
        _ => MALFORMED.because("The body ended before it was complete."),
    }
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
    let message = match message.split_once("expected struct ") {
        Some((before, _name)) => format!("{before}expected an object"),
        None => message.to_owned(),
    };
    invalid(if path.is_empty() || path == "." { "body" } else { path }, &message)
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
    use super::read;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Outer {
        name: String,
        inner: Inner,
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

//! File uploads and downloads: a request body as a stream, and a file as a response, with range requests.
//!
//! Browsers never execute these files: type sniffing is off, and a file that is opened is in a sandbox without
//! scripts, styles or requests to other addresses.

use std::convert::Infallible;
use std::ops::Range;
use std::time::Duration;

use aide::generate::GenContext;
use aide::openapi::{
    MediaType, Operation, ReferenceOr, RequestBody, Response as Documented, SchemaObject, StatusCode as Code,
};
use aide::operation::{OperationInput, OperationOutput};
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use futures::{StreamExt as _, stream};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use http_range_header::{EndPosition, RangeUnsatisfiableError, StartPosition};
use schemars::json_schema;
use svc_app::ByteStream;
use svc_app::heavy::Room;

use crate::error::{ApiError, ApiResult};
use crate::problems::{MALFORMED, RANGE};

/// How long the next piece of a body may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The body of a request piece by piece, of any type and size: handlers have to bound it.
pub struct Upload {
    /// The bytes.
    pub bytes: ByteStream,
}

impl<S: Send + Sync> FromRequest<S> for Upload {
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Self, ApiError> {
        if request.headers().contains_key(header::CONTENT_ENCODING) {
            return Err(MALFORMED.because("Send the bytes as they are, without Content-Encoding.").into());
        }
        let pieces = request.into_body().into_data_stream();
        let patient = futures::stream::unfold(pieces, |mut pieces| async move {
            match tokio::time::timeout(PATIENCE, pieces.next()).await {
                Ok(piece) => Some((piece?.map_err(Into::into), pieces)),
                Err(late) => Some((Err(late.into()), pieces)),
            }
        });
        Ok(Self { bytes: patient.boxed() })
    }
}

/// A file to answer.
#[derive(Clone, Debug)]
pub struct File {
    /// Media type.
    pub content_type: String,
    /// `Content-Disposition`.
    pub disposition: String,
    /// Size in bytes.
    pub size: u64,
    /// A name that these bytes alone have: they never change under it.
    pub tag: String,
    /// Whether a client may show its copy without asking whether it still may.
    pub kept: bool,
}

/// The answer to a download.
pub struct Download(Response);

/// A year, which is as long as caches are told anything (RFC 9111 knows no "forever").
const KEPT: &str = "private, max-age=31536000, immutable";

impl Download {
    /// Sends the client to another address, which needs no credential.
    pub fn elsewhere(address: &str) -> ApiResult<Self> {
        let location = HeaderValue::from_str(address)
            .map_err(|_| ApiError::from(crate::problems::INTERNAL.because("Report the trace id.")))?;
        Ok(Self((StatusCode::FOUND, [(header::LOCATION, location)]).into_response()))
    }

    /// Answers a file that is in memory.
    ///
    /// # Errors
    /// 416 for a part that the file does not have.
    pub async fn of_bytes(request: &HeaderMap, file: &File, bytes: Bytes) -> ApiResult<Self> {
        Self::of(request, file, async |part| {
            // A part is within the size; what does not fit a `usize` is in no memory.
            let part = part.map(|part| part.start as usize..part.end as usize);
            let wanted = part.map_or_else(|| bytes.clone(), |part| bytes.slice(part));
            Ok::<_, ApiError>(futures::stream::iter([Ok(wanted)]).boxed())
        })
        .await
    }

    /// Answers a file: whole, the part that the request asks for, or that the client's copy is still good.
    /// `open` begins to read what is wanted.
    ///
    /// # Errors
    /// 416 for a part that the file does not have; what `open` says.
    pub async fn of<E: Into<ApiError>>(
        request: &HeaderMap,
        file: &File,
        open: impl AsyncFnOnce(Option<Range<u64>>) -> Result<ByteStream, E>,
    ) -> ApiResult<Self> {
        let tag = format!("\"{}\"", file.tag);
        if request.get(header::IF_NONE_MATCH).is_some_and(|shown| lists(shown, &tag)) {
            let mut response = StatusCode::NOT_MODIFIED.into_response();
            set(&mut response, header::ETAG, &tag);
            return Ok(Self(response));
        }
        let (status, part) = match wanted(request, file.size, &tag) {
            Wanted::Whole => (StatusCode::OK, None),
            Wanted::Part(part) => (StatusCode::PARTIAL_CONTENT, Some(part)),
            Wanted::Impossible => {
                let mut response =
                    ApiError::from(RANGE.because(format!("The file has {} bytes.", file.size)))
                        .into_response();
                set(&mut response, header::CONTENT_RANGE, &format!("bytes */{}", file.size));
                return Ok(Self(response));
            }
        };
        let bytes = open(part.clone()).await.map_err(Into::into)?;
        let mut response = (status, Body::from_stream(bytes)).into_response();
        let length = part.as_ref().map_or(file.size, |part| part.end - part.start);
        set(&mut response, header::CONTENT_LENGTH, &length.to_string());
        if let Some(part) = part {
            let range = format!("bytes {}-{}/{}", part.start, part.end - 1, file.size);
            set(&mut response, header::CONTENT_RANGE, &range);
        }
        set(&mut response, header::ETAG, &tag);
        describe(&mut response, file);
        Ok(Self(response))
    }
}

fn describe(response: &mut Response, file: &File) {
    let text = file.content_type.starts_with("text/");
    let content_type =
        if text { format!("{}; charset=utf-8", file.content_type) } else { file.content_type.clone() };
    set(response, header::CONTENT_TYPE, &content_type);
    set(response, header::CONTENT_DISPOSITION, &file.disposition);
    set(response, header::ACCEPT_RANGES, "bytes");
    set(response, header::CACHE_CONTROL, if file.kept { KEPT } else { "private, no-cache" });
    set(response, header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'");
    set(response, HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
}

/// Every value here is made of ASCII by us; one that is not is left out.
fn set(response: &mut Response, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

fn lists(shown: &HeaderValue, tag: &str) -> bool {
    let tags = shown.to_str().unwrap_or_default().split(',');
    tags.map(|shown| shown.trim().trim_start_matches("W/")).any(|shown| shown == tag || shown == "*")
}

/// What a request wants of a file.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    Whole,
    Part(Range<u64>),
    Impossible,
}

/// One part is answered; of a request for several, and of what is no range, the whole file is.
fn wanted(request: &HeaderMap, size: u64, tag: &str) -> Wanted {
    let Some(range) = request.get(header::RANGE).and_then(|value| value.to_str().ok()) else {
        return Wanted::Whole;
    };
    // The client has a part of other bytes.
    if request.get(header::IF_RANGE).is_some_and(|shown| *shown != *tag) {
        return Wanted::Whole;
    }
    let parsed = match http_range_header::parse_range_header(range) {
        Ok(parsed) => parsed,
        Err(RangeUnsatisfiableError::ZeroSuffix) if size > 0 => return Wanted::Impossible,
        Err(_) => return Wanted::Whole,
    };
    match parsed.ranges.as_slice() {
        [only] if size > 0 => part(only.start, only.end, size),
        _ => Wanted::Whole,
    }
}

/// The part of a file that is not empty. More than there is ends with the file (RFC 9110, section 14.1.2).
fn part(start: StartPosition, end: EndPosition, size: u64) -> Wanted {
    let first = match start {
        StartPosition::Index(first) => first,
        StartPosition::FromLast(length) => size.saturating_sub(length),
    };
    let last = match end {
        EndPosition::Index(last) if last < first => return Wanted::Whole,
        EndPosition::Index(last) => last.min(size - 1),
        EndPosition::LastByte => size - 1,
    };
    if first > last { Wanted::Impossible } else { Wanted::Part(first..last + 1) }
}

impl IntoResponse for Download {
    fn into_response(self) -> Response {
        self.0
    }
}

fn binary() -> MediaType {
    let json_schema = json_schema!({ "type": "string", "format": "binary" });
    MediaType {
        schema: Some(SchemaObject { json_schema, example: None, external_docs: None }),
        ..MediaType::default()
    }
}

const BYTES: &str = "application/octet-stream";

impl OperationInput for Upload {
    fn operation_input(_ctx: &mut GenContext, operation: &mut Operation) {
        operation.request_body = Some(ReferenceOr::Item(RequestBody {
            description: Some("The bytes of the file, of any type.".to_owned()),
            content: [(BYTES.to_owned(), binary())].into_iter().collect(),
            required: true,
            ..RequestBody::default()
        }));
    }
}

impl OperationOutput for Download {
    type Inner = ();

    fn operation_response(_ctx: &mut GenContext, _operation: &mut Operation) -> Option<Documented> {
        let content = [(BYTES.to_owned(), binary())].into_iter().collect();
        Some(Documented { description: "The file.".to_owned(), content, ..Documented::default() })
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<Code>, Documented)> {
        let file = Self::operation_response(ctx, operation).unwrap_or_default();
        let plain = |text: &str| Documented { description: text.to_owned(), ..Documented::default() };
        vec![
            (Some(Code::Code(200)), file.clone()),
            (
                Some(Code::Code(206)),
                Documented { description: "The part that was asked for.".into(), ..file },
            ),
            (
                Some(Code::Code(302)),
                plain("The file is at this address, for a short while, without credential."),
            ),
            (Some(Code::Code(304)), plain("The client's copy is still current.")),
        ]
    }
}

/// A table that is saved as a file.
pub struct Table {
    name: String,
    text: Vec<u8>,
    place: Room,
}

/// Bytes of a table that are handed to the connection at once.
const PART: usize = 64 * 1024;

impl Table {
    /// The table as a file of this name, which is of letters, digits, hyphens and points. It has its place until it is
    /// sent.
    pub fn named(name: &str, text: Vec<u8>, place: Room) -> Self {
        Self { name: name.to_owned(), text, place }
    }
}

impl IntoResponse for Table {
    fn into_response(self) -> Response {
        let disposition = format!("attachment; filename=\"{}\"", self.name);
        let headers = [
            (header::CONTENT_TYPE, CSV_UTF8.to_owned()),
            (header::CONTENT_DISPOSITION, disposition),
            (header::CONTENT_LENGTH, self.text.len().to_string()),
        ];
        let parts = stream::unfold((Bytes::from(self.text), self.place), |(mut text, place)| async move {
            let part = text.split_to(text.len().min(PART));
            (!part.is_empty()).then(|| (Ok::<_, Infallible>(part), (text, place)))
        });
        (headers, Body::from_stream(parts)).into_response()
    }
}

const CSV: &str = "text/csv";
const CSV_UTF8: &str = "text/csv; charset=utf-8";

impl OperationOutput for Table {
    type Inner = ();

    fn operation_response(_ctx: &mut GenContext, _operation: &mut Operation) -> Option<Documented> {
        let json_schema = json_schema!({ "type": "string" });
        let text = MediaType {
            schema: Some(SchemaObject { json_schema, example: None, external_docs: None }),
            ..MediaType::default()
        };
        let content = [(CSV.to_owned(), text)].into_iter().collect();
        Some(Documented { description: "The table.".to_owned(), content, ..Documented::default() })
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<Code>, Documented)> {
        vec![(Some(Code::Code(200)), Self::operation_response(ctx, operation).unwrap_or_default())]
    }
}

#[cfg(test)]
mod tests {
    use super::{Wanted, wanted};
    use http::{HeaderMap, HeaderValue, header};

    #[test]
    fn ranges_of_ten_bytes() {
        for (range, expected) in [
            ("bytes=0-4", Wanted::Part(0..5)),
            ("bytes=5-", Wanted::Part(5..10)),
            ("bytes=-3", Wanted::Part(7..10)),
            ("bytes=9-100", Wanted::Part(9..10)),
            ("bytes=0-0", Wanted::Part(0..1)),
            ("bytes=-100", Wanted::Part(0..10)),
            ("bytes=10-", Wanted::Impossible),
            ("bytes=-0", Wanted::Impossible),
            ("bytes=5-2", Wanted::Whole),
            ("bytes=0-1,3-4", Wanted::Whole),
            ("items=0-4", Wanted::Whole),
            ("bytes=a-b", Wanted::Whole),
            ("bytes=18446744073709551615-", Wanted::Impossible),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::RANGE, HeaderValue::from_static(range));
            assert_eq!(wanted(&headers, 10, "\"a\""), expected, "{range}");
            assert_eq!(wanted(&headers, 0, "\"a\""), Wanted::Whole, "{range} of nothing");
            headers.insert(header::IF_RANGE, HeaderValue::from_static("\"other\""));
            assert_eq!(wanted(&headers, 10, "\"a\""), Wanted::Whole, "{range}");
        }
    }
}

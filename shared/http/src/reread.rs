//! Repeated reads: a JSON response to a GET has an `ETag`, a client that sends the tag back gets 304, and responses
//! are compressed for clients that accept it.
//!
//! Clients must revalidate their copy each time, so that nobody sees what they may no longer see. Only responses to
//! GETs are compressed: input from a request and a secret never share a compressed response.

use std::hash::BuildHasher as _;

use axum::body::HttpBody as _;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use foldhash::quality::FixedState;
use http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, Version, header};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate as _, SizeAbove};

/// Shorter answers fit a packet as they are.
const WORTH_COMPRESSING: u64 = 1_024;

/// Marks an answer that has a tag.
#[derive(Clone, Copy)]
pub(crate) struct Tag(u64);

impl Tag {
    /// The tag of an answer with this body, the same from every server of a release.
    pub(crate) fn of(body: &[u8]) -> Self {
        Self(FixedState::with_seed(0).hash_one(body))
    }

    /// As a header. It is weak: the same answer may come compressed.
    fn header(self) -> HeaderValue {
        HeaderValue::try_from(format!("W/\"{:016x}\"", self.0)).expect("hex is visible ASCII")
    }
}

/// Marks an answer that is compressed for who takes that, and says how many bytes are kept until it is sent: the
/// compressed ones have no size.
#[derive(Clone, Copy)]
pub(crate) struct Compressible {
    pub(crate) bytes: u64,
}

/// What a GET says of the copy that its client has; `None` for other methods.
pub(crate) struct Copy(Option<HeaderValue>);

impl Copy {
    pub(crate) fn of(request: &Request) -> Option<Self> {
        let reads = [Method::GET, Method::HEAD].contains(request.method());
        reads.then(|| Self(request.headers().get(header::IF_NONE_MATCH).cloned()))
    }

    fn is(&self, tag: &HeaderValue) -> bool {
        let shown = self.0.as_ref().and_then(|shown| shown.to_str().ok()).unwrap_or_default();
        // A proxy that compresses or unpacks may have made the tag a weak one or a strong one.
        let opaque = |tag: &[u8]| tag.strip_prefix(b"W/").unwrap_or(tag).to_vec();
        let good = opaque(tag.as_bytes());
        shown.split(',').any(|shown| shown.trim() == "*" || opaque(shown.trim().as_bytes()) == good)
    }
}

/// The answer to who has this copy: as it is, with its tag, or that the copy is still good.
pub(crate) fn reread(copy: Option<Copy>, mut response: Response) -> Response {
    let Some(copy) = copy else { return response };
    let tag = response.extensions().get::<Tag>().map(|tag| tag.header());
    // What nobody may keep has no tag.
    let Some(tag) = tag.filter(|_| !response.headers().contains_key(header::CACHE_CONTROL)) else {
        return response;
    };
    let headers = [
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
        (header::VARY, HeaderValue::from_static("Authorization, Cookie, Accept-Encoding")),
        (header::ETAG, tag.clone()),
    ];
    if copy.is(&tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let bytes = response.body().size_hint().lower();
    response.extensions_mut().insert(Compressible { bytes });
    response.headers_mut().extend(headers);
    response
}

/// Whether an answer is worth compressing, by what it is.
type Worth = fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool;

/// Compresses what [`reread`] says may be compressed.
pub(crate) fn compressed() -> CompressionLayer<And<SizeAbove, Worth>> {
    let worth: Worth = |_, _, _, extensions| extensions.get::<Compressible>().is_some();
    CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(WORTH_COMPRESSING).and(worth))
}

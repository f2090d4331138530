//! `GET /openapi/v1.json`: the contract, the source of truth for fields (specification section 9).

use aide::openapi::OpenApi;
use axum::body::Bytes;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use sha2::{Digest as _, Sha256};

/// The contract as it is sent.
#[derive(Clone)]
pub(crate) struct Contract {
    json: Bytes,
    etag: HeaderValue,
}

impl Contract {
    pub(crate) fn of(document: &OpenApi) -> Self {
        let json = serde_json::to_vec(document).expect("the document is plain data with text keys");
        let digest = hex::encode(&Sha256::digest(&json)[..16]);
        let etag = HeaderValue::from_str(&format!("\"{digest}\"")).expect("hex is visible ASCII");
        Self { json: json.into(), etag }
    }
}

pub(crate) async fn serve(contract: Contract, headers: HeaderMap) -> Response {
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|etag| *etag == contract.etag);
    let cached =
        [(header::ETAG, contract.etag), (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"))];
    if known {
        return (StatusCode::NOT_MODIFIED, cached).into_response();
    }
    (cached, [(header::CONTENT_TYPE, "application/json")], contract.json).into_response()
}

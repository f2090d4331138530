//! `GET /openapi/v1.json`: the contract, the source of truth for fields (specification section 9).

use aide::openapi::OpenApi;
use axum::body::Bytes;
use axum::response::Response;
use http::{HeaderMap, HeaderValue, header};
use sha2::{Digest as _, Sha256};

/// The contract as it is sent.
#[derive(Clone)]
pub(crate) struct Contract {
    json: Bytes,
    etag: HeaderValue,
}

impl Contract {
    pub(crate) fn of(document: &OpenApi) -> Self {
        Self::from(Bytes::from(
            serde_json::to_vec(document).expect("the document is plain data with text keys"),
        ))
    }

    /// The committed document, which a test holds equal to what the areas say of themselves.
    pub(crate) fn written() -> Self {
        Self::from(Bytes::from_static(include_bytes!("../openapi/v1.json")))
    }
}

impl From<Bytes> for Contract {
    fn from(json: Bytes) -> Self {
        let digest = hex::encode(&Sha256::digest(&json)[..16]);
        let etag = HeaderValue::from_str(&format!("\"{digest}\"")).expect("hex is visible ASCII");
        Self { json, etag }
    }
}

pub(crate) async fn serve(contract: Contract, headers: HeaderMap) -> Response {
    let body = ([(header::CONTENT_TYPE, "application/json")], contract.json);
    svc_http::revalidated(&headers, contract.etag, body)
}

//! Bodies that are not read.

use aide::axum::routing::post_with;
use axum::Router;
use axum::body::Body as Bytes;
use futures::stream;
use http::{Request, header};
use schemars::JsonSchema;
use serde::Deserialize;
use svc_http::doc::operation;
use svc_http::{ApiRouter, Body, NoContent};
use svc_testkit::{Areas, Reply, TestApp, send};

/// A thing.
#[derive(Deserialize, JsonSchema)]
struct Thing {
    #[expect(dead_code, reason = "only read")]
    name: String,
}

async fn take(Body(_): Body<Thing>) -> NoContent {
    NoContent
}

fn router() -> (TestApp, Router) {
    let kit = TestApp::new();
    let things = ApiRouter::new()
        .api_route("/things", post_with(take, |op| operation(op, "addThing", "Things", "Add", "It.")));
    let router = kit.router(&Areas::new([things]));
    (kit, router)
}

async fn sent(headers: &[(header::HeaderName, &str)], body: Bytes) -> Reply {
    let (_kit, router) = router();
    let mut request = Request::post("/api/v1/things").header(header::CONTENT_TYPE, "application/json");
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    send(&router, request.body(body).unwrap()).await
}

/// A body of which nothing ever comes.
fn never() -> Bytes {
    Bytes::from_stream(stream::pending::<Result<&'static str, std::io::Error>>())
}

#[tokio::test]
async fn a_body_that_says_that_it_is_too_large_is_not_waited_for() {
    let reply = sent(&[(header::CONTENT_LENGTH, "2097153")], never()).await;
    assert_eq!((reply.status.as_u16(), reply.problem()), (413, "too-large"));
    assert_eq!(reply.json["detail"], "A body has at most 2097152 bytes.");
}

#[tokio::test]
async fn a_body_that_turns_out_to_be_too_large_is_not_read_to_its_end() {
    let piece = || Ok::<_, std::io::Error>("x".repeat(64 * 1024));
    let reply = sent(&[], Bytes::from_stream(stream::repeat_with(piece))).await;
    assert_eq!((reply.status.as_u16(), reply.problem()), (413, "too-large"));
}

#[tokio::test]
async fn a_compressed_body_is_refused_as_such() {
    let reply = sent(&[(header::CONTENT_ENCODING, "gzip")], Bytes::from("{\"name\":\"a\"}")).await;
    assert_eq!((reply.status.as_u16(), reply.problem()), (415, "unsupported-media-type"));
    assert_eq!(reply.json["detail"], "Send it as it is, without Content-Encoding.");
}

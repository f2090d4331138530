//! What goes wrong on our side is a problem document that tells how to report it, and no more (specification
//! section 7).

use aide::axum::routing::get_with;
use http::{Method, StatusCode};
use svc_app::StorageError;
use svc_http::doc::operation;
use svc_http::{ApiResult, ApiRouter, NoContent};
use svc_testkit::{Areas, TestApp, call};

async fn corrupt() -> ApiResult<NoContent> {
    Err(svc_app::Error::from(StorageError::Corrupt("the row SECRET#1 is odd".into())).into())
}

async fn away() -> ApiResult<NoContent> {
    Err(svc_app::Error::from(StorageError::Unavailable("10.0.0.7 does not answer".into())).into())
}

async fn bug() -> NoContent {
    panic!("the index SECRET#2 is out of bounds")
}

#[tokio::test]
async fn the_cause_stays_with_us_and_the_trace_id_leads_to_it() {
    let router = ApiRouter::new()
        .api_route("/corrupt", get_with(corrupt, |op| operation(op, "a", "Things", "A", "It.")))
        .api_route("/away", get_with(away, |op| operation(op, "b", "Things", "B", "It.")))
        .api_route("/bug", get_with(bug, |op| operation(op, "c", "Things", "C", "It.")));
    let kit = TestApp::new();
    let router = kit.router(&Areas::new([router]));
    for (path, status, kind) in [
        ("/corrupt", StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        ("/away", StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        ("/bug", StatusCode::INTERNAL_SERVER_ERROR, "internal"),
    ] {
        let reply = call(&router, Method::GET, path, None, None).await;
        assert_eq!((reply.status, reply.problem()), (status, kind));
        assert_eq!(reply.headers["content-type"], "application/problem+json");
        assert_eq!(reply.json["status"], status.as_u16());
        assert!(!reply.json["title"].as_str().unwrap().is_empty());
        let trace = reply.json["traceId"].as_str().unwrap();
        assert!(!trace.is_empty() && reply.headers["x-trace-id"] == trace);
        assert!(!reply.text.contains("SECRET") && !reply.text.contains("10.0.0.7"), "{}", reply.text);
    }
}

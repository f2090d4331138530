//! The trace id (specification section 7): the name of a request that people report.

use axum::body::Body;
use http::Request;
use svc_testkit::{Reply, send};

use crate::{roomy, router};

async fn traced(router: &axum::Router, parent: Option<&str>) -> String {
    let mut request = Request::get("/api/v1/me");
    if let Some(parent) = parent {
        request = request.header("traceparent", parent);
    }
    let reply: Reply = send(router, request.body(Body::empty()).expect("the request is well formed")).await;
    assert_eq!(reply.json["traceId"], reply.header("x-trace-id"), "{}", reply.text);
    reply.header("x-trace-id").to_owned()
}

#[tokio::test]
async fn each_request_has_a_trace_id_of_its_own_or_that_of_its_caller() {
    let t = roomy();
    let router = router(&t);
    let (first, second) = (traced(&router, None).await, traced(&router, None).await);
    assert!(first.len() == 32 && first != second, "{first} {second}");
    let known = "0af7651916cd43dd8448eb211c80319c";
    assert_eq!(traced(&router, Some(&format!("00-{known}-b7ad6b7169203331-01"))).await, known);
    for wrong in
        ["", "-", "00-short-b7ad6b7169203331-01", &format!("00-{}-b7-01", "0".repeat(32)), "00-<script>"]
    {
        let made = traced(&router, Some(wrong)).await;
        assert!(made.len() == 32 && made.bytes().all(|byte| byte.is_ascii_hexdigit()), "{wrong:?}: {made}");
        assert_ne!(made, "0".repeat(32));
    }
}

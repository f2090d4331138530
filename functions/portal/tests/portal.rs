//! What browsers and programs get of the contract and the reference.

use axum::Router;
use axum::body::Body;
use http::{Request, StatusCode};
use std::sync::Arc;
use svc_testkit::{Reply, TestApp, send};

fn portal() -> (TestApp, Router) {
    let t = TestApp::new();
    let (areas, document) = TestApp::documented([]);
    let router = svc_http::finish(areas.merge(svc_portal::router(document)), Arc::clone(&t.app));
    (t, router)
}

async fn get(router: &Router, path: &str) -> Reply {
    send(router, Request::get(path).body(Body::empty()).expect("the path is an address")).await
}

#[tokio::test]
async fn the_contract_is_openapi_3_1_and_is_asked_for_again_cheaply() {
    let (_t, router) = portal();
    let reply = get(&router, "/openapi/v1.json").await;
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(reply.header("content-type"), "application/json");
    assert_eq!(reply.json["openapi"], "3.1.0");
    let request = Request::get("/openapi/v1.json").header("if-none-match", reply.header("etag"));
    let again = send(&router, request.body(Body::empty()).unwrap()).await;
    assert_eq!((again.status, again.text.as_str()), (StatusCode::NOT_MODIFIED, ""));
}

#[tokio::test]
async fn the_reference_names_no_other_host_and_all_that_it_names_is_there() {
    let (_t, router) = portal();
    let page = get(&router, "/docs").await;
    insta::assert_snapshot!(page.snapshot());
    let named: Vec<&str> =
        page.text.split(['"', '\'']).filter(|text| text.starts_with('/') || text.contains("//")).collect();
    assert_eq!(named.len(), 4, "{named:?}");
    for path in named {
        let reply = get(&router, path).await;
        assert_eq!(reply.status, StatusCode::OK, "{path}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
    }
}

//! What browsers get of the web app: its page at every address that people are sent to, and never in place of an
//! answer to a program. Holds with and without the app in the build.

use axum::Router;
use axum::body::Body;
use http::{Method, Request, StatusCode};
use std::sync::Arc;
use svc_testkit::{Reply, TestApp, send};

fn portal() -> (TestApp, Router) {
    let t = TestApp::new();
    let (areas, document) = TestApp::documented([]);
    let routes = areas.merge(svc_portal::router(document));
    let router = svc_http::finish_with(routes, svc_portal::pages, Arc::clone(&t.app));
    (t, router)
}

async fn ask(router: &Router, method: Method, path: &str, headers: &[(&str, &str)]) -> Reply {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(router, request.body(Body::empty()).expect("the path is an address")).await
}

#[tokio::test]
async fn people_get_the_page_wherever_they_are_sent() {
    let (_t, router) = portal();
    for path in [
        "/",
        "/join",
        "/sign-in",
        "/reset-password",
        "/o/demo/p/DEMO/board",
        "/o/demo/p/DEMO/items/DEMO-7",
        "/o/demo/p/DEMO/wiki/Release%201.2",
        "/o/demo/p/DEMO/wiki/notes.md",
    ] {
        let page = ask(&router, Method::GET, path, &[]).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8", "{path}");
        assert_eq!(page.header("cache-control"), "no-cache", "{path}");
        assert!(page.text.contains("<title>svc</title>"), "{path}");
        assert!(!page.text.contains("<style") && !page.text.contains(" style="), "{path}: nothing is inline");
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'self'") && !policy.contains("unsafe"), "{path}: {policy}");
    }
}

#[tokio::test]
async fn programs_get_problems_and_never_the_page() {
    let (_t, router) = portal();
    let paths = [
        "/api/v1/nothing",
        "/api",
        "/openapi/v2.json",
        "/docs/nothing",
        "/mcp",
        "/.well-known/nothing",
        "/.well-known/oauth-protected-resource/mcp",
        "/register",
        "/assets/nothing.js",
        "/assets/nothing",
        "/picture.png",
        "/favicon.ico",
        "/index.html.br",
    ];
    for path in paths {
        let reply = ask(&router, Method::GET, path, &[]).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(reply.header("content-type"), "application/problem+json", "{path}");
    }
    let reply = ask(&router, Method::POST, "/register", &[]).await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND, "no client registers itself");
    let reply = ask(&router, Method::POST, "/sign-in", &[]).await;
    assert_eq!(reply.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn the_page_is_asked_for_again_cheaply() {
    let (_t, router) = portal();
    let page = ask(&router, Method::GET, "/", &[]).await;
    let again = ask(&router, Method::GET, "/o/demo", &[("if-none-match", page.header("etag"))]).await;
    assert_eq!((again.status, again.text.as_str()), (StatusCode::NOT_MODIFIED, ""));
}

#[tokio::test]
async fn an_encoding_that_is_refused_is_not_sent() {
    let (_t, router) = portal();
    for accepted in ["identity", "br;q=0, gzip;q=0", "deflate"] {
        let page = ask(&router, Method::GET, "/", &[("accept-encoding", accepted)]).await;
        assert!(page.headers.get("content-encoding").is_none(), "{accepted}");
        assert_eq!(page.header("vary"), "Accept-Encoding");
    }
}

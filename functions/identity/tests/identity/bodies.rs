//! Bodies that are not what they should be, and addresses that are none.

use axum::body::Body;
use http::{Method, Request, StatusCode, header};
use svc_testkit::{Reply, TestApp, call, scopes, send};

use crate::{roomy, router};

async fn post_raw(t: &TestApp, media_type: Option<&str>, body: impl Into<Body>) -> Reply {
    let user = t.account("ada@example.com").await;
    let token = t.token(user.id, scopes(), None).await;
    let mut request = Request::post("/api/v1/orgs").header(header::AUTHORIZATION, format!("Bearer {token}"));
    if let Some(media_type) = media_type {
        request = request.header(header::CONTENT_TYPE, media_type);
    }
    send(&router(t), request.body(body.into()).expect("a request")).await
}

const JSON: Option<&str> = Some("application/json");

#[tokio::test]
async fn each_body_gets_the_problem_that_it_has() {
    let huge = format!(r#"{{"slug":"demo","name":"{}"}}"#, "x".repeat(2 * 1024 * 1024));
    let deep = "[".repeat(100_000);
    for (name, media_type, body) in [
        ("no JSON", JSON, "{\"slug\": "),
        ("nothing", JSON, ""),
        ("deep", JSON, deep.as_str()),
        ("not declared", None, r#"{"slug":"demo","name":"Demo"}"#),
        ("a form", Some("application/x-www-form-urlencoded"), "slug=demo&name=Demo"),
        ("huge", JSON, huge.as_str()),
        ("unknown field", JSON, r#"{"slug":"demo","name":"Demo","owner":"me"}"#),
        ("missing field", JSON, r#"{"slug":"demo"}"#),
        ("wrong type", JSON, r#"{"slug":7,"name":"Demo"}"#),
        ("a list", JSON, "[]"),
    ] {
        let reply = post_raw(&roomy(), media_type, body.to_owned()).await;
        insta::assert_snapshot!(name.replace(' ', "_"), reply.snapshot());
    }
}

#[tokio::test]
async fn addresses_and_methods_that_are_none_get_problems_too() {
    let t = roomy();
    let router = router(&t);
    let missing = call(&router, Method::GET, "/no/such/thing", None, None).await;
    assert_eq!((missing.status, missing.problem()), (StatusCode::NOT_FOUND, "not-found"));
    let method = call(&router, Method::PUT, "/orgs", None, None).await;
    assert_eq!((method.status, method.problem()), (StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed"));
    assert_eq!(method.header("allow"), "GET,HEAD,POST");
}

#[tokio::test]
async fn only_bearer_secrets_are_credentials() {
    let t = roomy();
    let router = router(&t);
    for value in ["Basic YTpi", "Bearer", "Bearer ", "Bearer  \t", "svp_x", ""] {
        let request = Request::get("/api/v1/me").header(header::AUTHORIZATION, value);
        let reply = send(&router, request.body(Body::empty()).unwrap()).await;
        assert_eq!(
            (reply.status, reply.problem()),
            (StatusCode::UNAUTHORIZED, "unauthenticated"),
            "{value:?}"
        );
        assert_eq!(reply.header("www-authenticate"), "Bearer");
    }
}

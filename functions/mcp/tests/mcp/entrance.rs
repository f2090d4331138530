//! What a request passes before the protocol reads it.

use axum::body::Body;
use http::{Method, Request, StatusCode, header};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_domain::identity::Scope;
use svc_testkit::{Reply, send};

use crate::world::{SCOPES, World, message_of};

fn list() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
}

async fn refused(world: &World, token: &str) -> Reply {
    let reply = world.post(token, list()).await;
    assert_eq!(reply.header("content-type"), "application/problem+json", "{}", reply.text);
    reply
}

/// Specification sections 4.2 and 5: refused with 403, saying which to fix.
#[tokio::test]
async fn a_token_without_the_scope_or_the_organization_is_told_which_to_fix() {
    let world = World::new().await;
    let unscoped = world.kit.token(world.ada_id, &[Scope::Read, Scope::Write], Some(&world.org)).await;
    let reply = refused(&world, &unscoped).await;
    assert_eq!((reply.status, reply.problem()), (StatusCode::FORBIDDEN, "missing-scope"));
    assert!(reply.json["detail"].as_str().unwrap().contains("\"mcp\""), "{}", reply.text);
    let unbound = world.kit.token(world.ada_id, &SCOPES, None).await;
    let reply = refused(&world, &unbound).await;
    assert_eq!((reply.status, reply.problem()), (StatusCode::FORBIDDEN, "forbidden"));
    assert!(
        reply.json["detail"].as_str().unwrap().contains("not bound to an organization"),
        "{}",
        reply.text
    );
}

#[tokio::test]
async fn missing_wrong_expired_and_foreign_credentials_are_refused() {
    let world = World::new().await;
    let anonymous = Request::post("/mcp").header(header::CONTENT_TYPE, "application/json");
    let reply = send(&world.router, anonymous.body(Body::from(list().to_string())).unwrap()).await;
    assert_eq!((reply.status, reply.header("www-authenticate")), (StatusCode::UNAUTHORIZED, "Bearer"));
    assert_eq!(refused(&world, "svc_pat_nonsense").await.status, StatusCode::UNAUTHORIZED);
    let (_, runner) = world.kit.runner_secret(&world.org).await;
    assert_eq!(refused(&world, &runner).await.status, StatusCode::FORBIDDEN);
    let other = world.kit.org("other").await;
    let stranger = world.kit.token(world.ada_id, &SCOPES, Some(&other)).await;
    assert_eq!(refused(&world, &stranger).await.status, StatusCode::NOT_FOUND);
    // A token that ends while its holder works.
    assert_eq!(world.post(&world.agent, list()).await.status, StatusCode::OK);
    world.kit.advance(SignedDuration::from_hours(2));
    assert_eq!(refused(&world, &world.agent).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn hosts_and_origins_that_are_not_ours_are_refused() {
    let world = World::new().await;
    for (name, value, status) in [
        ("origin", "https://svc.example.com", StatusCode::OK),
        ("origin", "http://localhost:6274", StatusCode::OK),
        ("origin", "https://evil.example", StatusCode::FORBIDDEN),
        ("host", "evil.example", StatusCode::FORBIDDEN),
    ] {
        let mut request = message_of(&world.ada, &list()).body(Body::from(list().to_string())).unwrap();
        request.headers_mut().insert(name, value.parse().unwrap());
        assert_eq!(send(&world.router, request).await.status, status, "{name}: {value}");
    }
}

#[tokio::test]
async fn bodies_that_are_too_large_too_deep_or_no_messages_are_refused() {
    let world = World::new().await;
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"search","arguments":{{"q":{deep}}}}}}}"#
    );
    for (body, status) in [
        ("x".repeat(10 * 1024 * 1024), StatusCode::PAYLOAD_TOO_LARGE),
        (deep, StatusCode::BAD_REQUEST),
        ("{".to_owned(), StatusCode::BAD_REQUEST),
        (String::new(), StatusCode::BAD_REQUEST),
        (r#"{"jsonrpc":"2.0","id":1}"#.to_owned(), StatusCode::BAD_REQUEST),
        (json!([list(), list()]).to_string(), StatusCode::BAD_REQUEST),
    ] {
        let shown: String = body.chars().take(40).collect();
        let reply =
            send(&world.router, message_of(&world.ada, &list()).body(Body::from(body)).unwrap()).await;
        assert_eq!(reply.status, status, "{shown}: {}", reply.text);
    }
    let mut request = message_of(&world.ada, &list()).body(Body::from(list().to_string())).unwrap();
    request.headers_mut().insert(header::CONTENT_TYPE, "text/plain".parse().unwrap());
    assert_eq!(send(&world.router, request).await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[tokio::test]
async fn there_are_no_sessions_and_no_streams() {
    let world = World::new().await;
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        let request = Request::builder().method(method).uri("/mcp");
        let request = request.header(header::AUTHORIZATION, format!("Bearer {}", world.ada));
        let reply = send(&world.router, request.body(Body::empty()).unwrap()).await;
        assert_eq!((reply.status, reply.problem()), (StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed"));
    }
}

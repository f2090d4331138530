//! Signing in and out, and the cookie.

use axum::Router;
use axum::body::Body;
use http::{Method, Request, StatusCode, header};
use jiff::SignedDuration;
use serde_json::json;
use svc_app::Settings;
use svc_domain::identity::OrgRole;
use svc_testkit::{PASSWORD, Reply, TestApp, call, send};

use crate::{login_body, roomy, router};

async fn login_at(router: &Router, host: &str) -> Reply {
    let request = Request::post("/api/v1/auth/login")
        .header(header::HOST, host)
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(login_body("ada@example.com", PASSWORD).to_string()));
    send(router, request.expect("a request")).await
}

async fn with_cookie(router: &Router, method: Method, path: &str, secret: &str, meant: bool) -> Reply {
    let mut request = Request::builder()
        .method(method)
        .uri(format!("/api/v1{path}"))
        .header(header::COOKIE, format!("theme=dark; svc.at={secret}"))
        .header(header::CONTENT_TYPE, "application/json");
    if meant {
        request = request.header("x-svc-request", "1");
    }
    let body = json!({ "slug": "another", "name": "Another" });
    send(router, request.body(Body::from(body.to_string())).expect("a request")).await
}

async fn ada(t: &TestApp) {
    let org = t.org("demo").await;
    t.user(&org, "ada@example.com", OrgRole::Owner, false).await;
}

#[tokio::test]
async fn a_right_password_opens_a_session() {
    let t = roomy();
    ada(&t).await;
    let reply = login_at(&router(&t), "demo.example.com").await;
    insta::assert_snapshot!(reply.snapshot());
}

#[tokio::test]
async fn an_unknown_address_and_a_wrong_password_answer_the_same() {
    let t = roomy();
    ada(&t).await;
    let router = router(&t);
    let mut answers = Vec::new();
    for (email, password) in [
        ("ada@example.com", "wrong password"),
        ("nobody@example.com", PASSWORD),
        ("", PASSWORD),
        ("ADA@example.com ", ""),
    ] {
        let body = Some(login_body(email, password));
        answers.push(call(&router, Method::POST, "/auth/login", None, body).await.snapshot());
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:#?}");
    insta::assert_snapshot!(answers[0]);
}

#[tokio::test]
async fn addresses_are_the_same_in_any_case() {
    let t = roomy();
    ada(&t).await;
    let body = Some(login_body(" ADA@Example.com", PASSWORD));
    let reply = call(&router(&t), Method::POST, "/auth/login", None, body).await;
    assert_eq!(reply.status, StatusCode::OK);
}

#[tokio::test]
async fn the_cookie_is_secure_but_for_loopback_and_where_settings_say_so() {
    let t = roomy();
    ada(&t).await;
    let mut plain = Settings::default();
    plain.authentication.secure_cookies = false;
    let mut https = Settings::default();
    https.service.base_url = "https://work.example.com".to_owned();
    for (settings, host, secure) in [
        (Settings::default(), "demo.example.com", true),
        (Settings::default(), "127.0.0.1:8080", false),
        (Settings::default(), "localhost", false),
        (plain, "demo.example.com", false),
        (https, "127.0.0.1:8080", true),
    ] {
        let other = TestApp::with(settings);
        ada(&other).await;
        let reply = login_at(&router(&other), host).await;
        let cookie = reply.header("set-cookie");
        assert!(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Lax"), "{cookie}");
        assert_eq!(cookie.contains("; Secure"), secure, "{host}: {cookie}");
    }
}

#[tokio::test]
async fn a_change_with_the_cookie_must_be_meant() {
    let t = roomy();
    let user = t.account("ada@example.com").await;
    let secret = t.session(user.id).await;
    let router = router(&t);
    let read = with_cookie(&router, Method::GET, "/me", &secret, false).await;
    assert_eq!(read.status, StatusCode::OK);
    let refused = with_cookie(&router, Method::POST, "/orgs", &secret, false).await;
    insta::assert_snapshot!(refused.snapshot());
    let meant = with_cookie(&router, Method::POST, "/orgs", &secret, true).await;
    assert_eq!(meant.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_change_for_one_account_is_refused_in_the_session_of_another() {
    let t = roomy();
    let (ada, bob) = (t.account("ada@example.com").await, t.account("bob@example.com").await);
    let secret = t.session(bob.id).await;
    let router = router(&t);
    let change = async |path: &str, account: &str| {
        let request = Request::post(format!("/api/v1{path}"))
            .header(header::COOKIE, format!("svc.at={secret}"))
            .header(header::CONTENT_TYPE, "application/json")
            .header("x-svc-request", "1")
            .header("x-svc-account", account)
            .body(Body::from(json!({ "slug": "another", "name": "Another" }).to_string()));
        send(&router, request.expect("a request")).await
    };
    let refused = change("/orgs", &ada.id.to_string()).await;
    insta::assert_snapshot!(refused.snapshot());
    assert_eq!(change("/orgs", "nobody").await.problem(), "other-account");
    assert_eq!(change("/auth/logout", &ada.id.to_string()).await.problem(), "other-account");
    let own = change("/orgs", &bob.id.to_string()).await;
    assert_eq!(own.status, StatusCode::CREATED);
}

#[tokio::test]
async fn signing_out_ends_the_session_and_takes_the_cookie_back() {
    let t = roomy();
    let user = t.account("ada@example.com").await;
    let (secret, other) = (t.session(user.id).await, t.session(user.id).await);
    let router = router(&t);
    let reply = with_cookie(&router, Method::POST, "/auth/logout", &secret, true).await;
    insta::assert_snapshot!(reply.snapshot());
    let ended = with_cookie(&router, Method::GET, "/me", &secret, false).await;
    assert_eq!(ended.problem(), "unauthenticated");
    assert_eq!(with_cookie(&router, Method::GET, "/me", &other, false).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_session_ends_by_itself() {
    let t = roomy();
    ada(&t).await;
    let router = router(&t);
    let reply = login_at(&router, "localhost").await;
    let secret = reply.header("set-cookie").trim_start_matches("svc.at=").split(';').next().unwrap();
    t.advance(SignedDuration::from_hours(24 * 14) - SignedDuration::from_secs(1));
    assert_eq!(with_cookie(&router, Method::GET, "/me", secret, false).await.status, StatusCode::OK);
    t.advance(SignedDuration::from_secs(1));
    let ended = with_cookie(&router, Method::GET, "/me", secret, false).await;
    assert_eq!((ended.status, ended.header("www-authenticate")), (StatusCode::UNAUTHORIZED, "Bearer"));
}

#[tokio::test]
async fn nothing_that_authenticates_is_stored_in_clear() {
    let t = roomy();
    let router = router(&t);
    let body = crate::first_run::register_body("ada@example.com", "demo");
    let reply = call(&router, Method::POST, "/auth/register", None, Some(body)).await;
    let cookie = reply.header("set-cookie");
    let session = cookie.trim_start_matches("svc.at=").split(';').next().unwrap();
    let request = Request::post("/api/v1/me/tokens")
        .header(header::COOKIE, format!("svc.at={session}"))
        .header("x-svc-request", "1")
        .header("idempotency-key", "once")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(json!({ "name": "ci", "scopes": ["read"] }).to_string()));
    let made = send(&router, request.unwrap()).await;
    let token = made.json["secret"].as_str().unwrap().to_owned();
    let mut stored = Vec::new();
    for entry in std::fs::read_dir(t.directory()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            stored.extend(std::fs::read(path).unwrap());
        }
    }
    let holds = |secret: &str| stored.windows(secret.len()).any(|bytes| bytes == secret.as_bytes());
    assert!(holds("ada@example.com"), "the store is where the test looks");
    assert!(holds("$argon2id$v=19$m=19456,t=2,p=1$"), "a password is a hash that is dear to guess");
    for secret in [session, &token, "long enough"] {
        assert!(!holds(secret), "{secret}");
    }
}

#[tokio::test]
async fn the_secret_of_a_session_is_no_bearer_token() {
    let t = roomy();
    let user = t.account("ada@example.com").await;
    let session = t.session(user.id).await;
    let router = router(&t);
    let request = Request::get("/api/v1/me").header(header::AUTHORIZATION, format!("Bearer {session}"));
    let reply = send(&router, request.body(Body::empty()).unwrap()).await;
    assert_eq!(reply.problem(), "unauthenticated");
    assert_eq!(crate::get(&router, "/me", &session).await.status, StatusCode::OK, "in its cookie");
}

//! The header `Idempotency-Key`.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use futures::future::join_all;
use http::{Request, StatusCode, header};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_app::BearerCredential;
use svc_app::idempotency::{Known, look_up};
use svc_app::identity::{NewOrg, NewToken};
use svc_domain::identity::{OrgRole, Scope};
use svc_storage::{Condition, Op, keys};
use svc_testkit::{Reply, TestApp, authenticated, scopes, send};

use crate::{get, roomy, router};

pub(crate) async fn keyed(router: &Router, token: &str, key: &str, path: &str, body: &Value) -> Reply {
    let request = authenticated(Request::post(format!("/api/v1{path}")), token)
        .header(header::CONTENT_TYPE, "application/json")
        .header("idempotency-key", key)
        .body(Body::from(body.to_string()));
    send(router, request.expect("a request")).await
}

async fn ada() -> (TestApp, Router, String) {
    let t = roomy();
    let user = t.account("ada@example.com").await;
    let token = t.token(user.id, scopes(), None).await;
    let router = router(&t);
    (t, router, token)
}

fn org(slug: &str) -> Value {
    json!({ "slug": slug, "name": "Demo" })
}

fn new_token() -> Value {
    json!({ "name": "ci", "scopes": ["read"] })
}

#[tokio::test]
async fn the_same_request_gets_the_same_answer_and_happens_once() {
    let (_t, router, token) = ada().await;
    let first = keyed(&router, &token, "k", "/me/tokens", &new_token()).await;
    let second = keyed(&router, &token, "k", "/me/tokens", &new_token()).await;
    assert_eq!(first.status, StatusCode::CREATED);
    assert_eq!((second.status, &second.text), (first.status, &first.text));
    assert_eq!(second.header("content-type"), first.header("content-type"));
    assert_eq!((first.header("idempotent-replayed"), second.header("idempotent-replayed")), ("", "true"));
    assert_eq!(get(&router, "/me/tokens", &token).await.json.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_same_answer_has_the_same_headers() {
    let (_t, router, token) = ada().await;
    let first = keyed(&router, &token, "k", "/orgs", &org("one")).await;
    let second = keyed(&router, &token, "k", "/orgs", &org("one")).await;
    assert_eq!(
        (first.header("location"), second.header("idempotent-replayed")),
        ("/api/v1/orgs/one", "true")
    );
    assert_eq!(second.header("location"), first.header("location"));
}

/// Waits for work no longer than until it has waited for something so often itself.
async fn leaves<T>(waits: u32, work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    let mut waited = 0;
    poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending => {
            waited += 1;
            if waited > waits { Poll::Ready(None) } else { Poll::Pending }
        }
    })
    .await
}

/// The answer of a request that is no longer at work.
async fn settled(router: &Router, token: &str, key: &str, body: &Value) -> Reply {
    let asked = async {
        loop {
            let reply = keyed(router, token, key, "/me/tokens", body).await;
            if reply.problem() != "request-in-progress" {
                return reply;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), asked).await.expect("what was begun ends")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_leaves_before_the_answer_finds_it_under_the_key() {
    let (_t, router, token) = ada().await;
    let mut asked = 0;
    for waits in 0.. {
        let body = json!({ "name": format!("ci {waits}"), "scopes": ["read"] });
        let key = format!("k{waits}");
        asked += 1;
        let heard = leaves(waits, keyed(&router, &token, &key, "/me/tokens", &body)).await;
        assert_eq!(
            settled(&router, &token, &key, &body).await.status,
            StatusCode::CREATED,
            "after {waits} waits"
        );
        if heard.is_some() {
            break;
        }
    }
    assert!(asked > 1, "nobody left before the answer");
    assert_eq!(get(&router, "/me/tokens", &token).await.json.as_array().unwrap().len(), asked);
}

#[tokio::test]
async fn a_key_belongs_to_one_request_and_one_caller() {
    let (t, router, token) = ada().await;
    assert_eq!(keyed(&router, &token, "k", "/orgs", &org("one")).await.status, StatusCode::CREATED);
    insta::assert_snapshot!(keyed(&router, &token, "k", "/orgs", &org("two")).await.snapshot());
    let elsewhere = keyed(&router, &token, "k", "/me/tokens", &org("one")).await;
    assert_eq!(elsewhere.problem(), "idempotency-key-reused");
    let bob = t.account("bob@example.com").await;
    let bobs = t.token(bob.id, scopes(), None).await;
    assert_eq!(keyed(&router, &bobs, "k", "/orgs", &org("two")).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_conflict_is_remembered_and_a_correctable_error_is_not() {
    let (_t, router, token) = ada().await;
    keyed(&router, &token, "a", "/orgs", &org("one")).await;
    let taken = keyed(&router, &token, "b", "/orgs", &org("one")).await;
    let again = keyed(&router, &token, "b", "/orgs", &org("one")).await;
    assert_eq!((taken.problem(), again.header("idempotent-replayed")), ("already-exists", "true"));
    assert_eq!(again.header("content-type"), "application/problem+json");
    let wrong = keyed(&router, &token, "c", "/orgs", &org("No slug")).await;
    assert_eq!(wrong.problem(), "validation-failed");
    assert_eq!(keyed(&router, &token, "c", "/orgs", &org("two")).await.status, StatusCode::CREATED);
}

/// Looks a key up, and gives the credential with it.
async fn reserved(t: &TestApp, token: &str, key: &str, path: &[u8], body: &Value) -> BearerCredential {
    let credential = BearerCredential::new(token);
    let body = body.to_string();
    let known =
        look_up(&t.app, &credential, key, &[path, body.as_bytes()]).await.expect("the work was committed");
    let Known::Fresh(reservation) = known else { panic!("{known:?}") };
    credential.keyed(Arc::new(reservation))
}

#[tokio::test]
async fn work_whose_answer_a_crash_lost_is_not_done_again() {
    let (t, router, token) = ada().await;
    // The server ends between the commit of the work and the answer.
    let caller = reserved(&t, &token, "k", b"/api/v1/orgs", &org("one")).await;
    let new = NewOrg { slug: "one".into(), name: "Demo".into() };
    svc_app::identity::create_org(&t.app, Some(&caller), new).await.unwrap();

    let again = keyed(&router, &token, "k", "/orgs", &org("one")).await;
    assert_eq!(
        (again.status, again.header("location"), again.header("idempotent-replayed")),
        (StatusCode::CREATED, "/api/v1/orgs/one", "true")
    );
    assert_eq!(again.json["slug"], "one");

    // Nothing tells a secret that nobody heard.
    let caller = reserved(&t, &token, "s", b"/api/v1/me/tokens", &new_token()).await;
    let new =
        NewToken { name: "ci".into(), scopes: [Scope::Read].into(), organization: None, expires_at: None };
    svc_app::identity::create_token(&t.app, Some(&caller), new).await.unwrap();
    let soon = keyed(&router, &token, "s", "/me/tokens", &new_token()).await;
    assert_eq!(soon.problem(), "request-in-progress");
    t.advance(SignedDuration::from_secs(11));
    let again = keyed(&router, &token, "s", "/me/tokens", &new_token()).await;
    assert_eq!(again.problem(), "conflict");
    assert_eq!(get(&router, "/me/tokens", &token).await.json.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_a_request_made_is_told_only_to_who_may_still_see_the_place() {
    let t = roomy();
    let router = router(&t);
    let org = t.org("one").await;
    let eve = t.user(&org, "eve@example.com", OrgRole::Admin, false).await;
    let token = t.token(eve, scopes(), None).await;
    let bob = json!({ "email": "bob@example.com", "preset": "member" });
    let invite = async || keyed(&router, &token, "k", "/orgs/one/invitations", &bob).await;
    let first = invite().await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.text);
    assert_eq!(invite().await.text, first.text);
    svc_testkit::write(&t.app, vec![Op::delete(keys::member(org.id, eve), Condition::Present)])
        .await
        .unwrap();
    assert_eq!(invite().await.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_at_once_one_happens() {
    let (t, router, token) = ada().await;
    let other = t.beside();
    let beside = crate::router(&other);
    let body = new_token();
    let replies = join_all((0..16).map(|n| {
        let router = if n % 2 == 0 { &router } else { &beside };
        keyed(router, &token, "k", "/me/tokens", &body)
    }))
    .await;
    for reply in &replies {
        let pending = reply.problem() == "request-in-progress";
        assert!(reply.status == StatusCode::CREATED || pending, "{}", reply.snapshot());
    }
    assert_eq!(get(&router, "/me/tokens", &token).await.json.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_credential_that_works_no_more_is_told_nothing() {
    let (t, router, _) = ada().await;
    let user = t.account("bob@example.com").await;
    let session = t.session(user.id).await;
    assert_eq!(keyed(&router, &session, "k", "/me/tokens", &new_token()).await.status, StatusCode::CREATED);
    t.advance(SignedDuration::from_hours(24));
    let late = keyed(&router, &session, "k", "/me/tokens", &new_token()).await;
    assert_eq!(late.problem(), "unauthenticated");
}

#[tokio::test]
async fn a_key_has_1_to_200_characters() {
    let (_t, router, token) = ada().await;
    for key in ["", &"k".repeat(201)] {
        let reply = keyed(&router, &token, key, "/orgs", &org("one")).await;
        assert_eq!(reply.problem(), "malformed-request", "{key}");
    }
}

#[tokio::test]
async fn a_change_repeated_by_a_session_with_a_new_secret_happens_once() {
    let t = roomy();
    let router = router(&t);
    let user = t.account("bob@example.com").await;
    let (first, second) = (t.session(user.id).await, t.session(user.id).await);
    assert_eq!(keyed(&router, &first, "k", "/orgs", &org("one")).await.status, StatusCode::CREATED);
    let again = keyed(&router, &second, "k", "/orgs", &org("one")).await;
    assert_eq!((again.status, again.header("location")), (StatusCode::CREATED, "/api/v1/orgs/one"));
    assert_eq!(again.header("idempotent-replayed"), "true");
    // The secret was shown to one session, and no other can open what was kept.
    keyed(&router, &first, "t", "/me/tokens", &new_token()).await;
    t.advance(SignedDuration::from_secs(11));
    let again = keyed(&router, &second, "t", "/me/tokens", &new_token()).await;
    assert_eq!(again.problem(), "conflict");
    assert_eq!(get(&router, "/me/tokens", &second).await.json.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_kept_answer_is_given_only_where_the_request_itself_would_be_admitted() {
    let t = roomy();
    let router = router(&t);
    let user = t.account("bob@example.com").await;
    let session = t.session(user.id).await;
    let by_cookie = async |more: &[(&str, &str)]| {
        let mut request = Request::post("/api/v1/me/tokens")
            .header(header::COOKIE, format!("svc.at={session}"))
            .header(header::CONTENT_TYPE, "application/json")
            .header("idempotency-key", "k");
        for (name, value) in more {
            request = request.header(*name, *value);
        }
        send(&router, request.body(Body::from(new_token().to_string())).expect("a request")).await
    };
    let meant = ("x-svc-request", "1");
    assert_eq!(by_cookie(&[meant]).await.status, StatusCode::CREATED);
    assert_eq!(by_cookie(&[meant]).await.header("idempotent-replayed"), "true");
    let other = t.account("eve@example.com").await.id.to_string();
    for refused in
        [vec![], vec![meant, ("authorization", "Basic Ym9iOng=")], vec![meant, ("x-svc-account", &other)]]
    {
        let reply = by_cookie(&refused).await;
        assert!(reply.status.is_client_error(), "{refused:?}: {}", reply.snapshot());
        assert!(!reply.text.contains("svc_"), "{}", reply.text);
    }
}

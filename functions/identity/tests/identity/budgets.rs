//! Request budgets (specification section 8), counted by two processes on one store.

use axum::Router;
use futures::future::join_all;
use http::{Method, StatusCode};
use jiff::SignedDuration;
use svc_domain::identity::Scope;
use svc_testkit::{Reply, TestApp, call};

use crate::{get, login_body, router};

fn served(replies: &[Reply]) -> usize {
    replies.iter().filter(|reply| reply.status != StatusCode::TOO_MANY_REQUESTS).count()
}

async fn login(router: &Router, n: usize) -> Reply {
    let body = Some(login_body(&format!("nobody{n}@example.com"), "wrong password"));
    call(router, Method::POST, "/auth/login", None, body).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ten_sign_ins_a_minute_and_address_across_processes() {
    let t = TestApp::new();
    let routers = [router(&t), router(&t.beside())];
    let replies = join_all((0..40).map(|n| login(&routers[n % 2], n))).await;
    assert_eq!(served(&replies), 10);
    t.advance(SignedDuration::from_secs(59));
    assert_eq!(login(&routers[0], 0).await.status, StatusCode::TOO_MANY_REQUESTS);
    t.advance(SignedDuration::from_secs(1));
    assert_eq!(login(&routers[1], 0).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn three_hundred_requests_a_minute_and_token_across_processes() {
    let t = TestApp::new();
    let user = t.account("ada@example.com").await;
    let token = t.token(user.id, &[Scope::Read], None).await;
    let other = t.token(user.id, &[Scope::Read], None).await;
    let routers = [router(&t), router(&t.beside())];
    let replies = join_all((0..800).map(|n| get(&routers[n % 2], "/orgs", &token))).await;
    assert_eq!(served(&replies), 300);
    assert_eq!(get(&routers[0], "/orgs", &other).await.status, StatusCode::OK, "another token's budget");
    t.advance(SignedDuration::from_mins(1));
    assert_eq!(get(&routers[0], "/orgs", &token).await.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_burst_in_one_process_gets_the_whole_budget() {
    let t = TestApp::new();
    let router = router(&t);
    let replies = join_all((0..400).map(|_| call(&router, Method::GET, "/auth/setup", None, None))).await;
    assert_eq!(served(&replies), 300);
}

#[tokio::test]
async fn who_is_refused_is_told_when_to_come_back() {
    let t = TestApp::new();
    let router = router(&t);
    t.advance(SignedDuration::from_secs(20));
    for n in 0..10 {
        login(&router, n).await;
    }
    insta::assert_snapshot!(login(&router, 10).await.snapshot());
}

#[tokio::test]
async fn a_runner_has_a_budget_of_its_own() {
    let t = TestApp::new();
    let org = t.org("demo").await;
    let (_, secret) = t.runner_secret(&org).await;
    let router = router(&t);
    let replies = join_all((0..400).map(|_| get(&router, "/runner/anything", &secret))).await;
    assert_eq!(served(&replies), 400);
}

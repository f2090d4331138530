//! Request budgets (specification section 8), counted by two processes on one store.

use std::net::{IpAddr, SocketAddr};

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use futures::future::join_all;
use http::{Method, Request, StatusCode, header};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_app::health::Condition;
use svc_domain::identity::{OrgRole, Scope};
use svc_testkit::{PASSWORD, Reply, TestApp, call, send};

use crate::post::{secret_in, with_mailbox, work};
use crate::{get, login_body, roomy, router};

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

/// One account had 3,000 answers a minute by ten tokens.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_person_has_the_budget_of_three_tokens_under_however_many() {
    let t = TestApp::new();
    let (ada, ben) = (t.account("ada@example.com").await, t.account("ben@example.com").await);
    let mut tokens = Vec::new();
    for _ in 0..10 {
        tokens.push(t.token(ada.id, &[Scope::Read], None).await);
    }
    let routers = [router(&t), router(&t.beside())];
    let replies = join_all((0..2_000).map(|n| get(&routers[n % 2], "/orgs", &tokens[n % 10]))).await;
    assert_eq!(served(&replies), 900);
    let his = t.token(ben.id, &[Scope::Read], None).await;
    assert_eq!(get(&routers[0], "/orgs", &his).await.status, StatusCode::OK, "another person's budget");
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

/// A request from an address.
async fn from(
    router: &Router,
    address: &str,
    method: Method,
    path: &str,
    secret: &str,
    body: Value,
) -> Reply {
    let address: IpAddr = address.parse().expect("an address");
    let mut request = Request::builder()
        .method(method)
        .uri(format!("/api/v1{path}"))
        .extension(ConnectInfo(SocketAddr::new(address, 4_711)))
        .header("x-svc-request", "1")
        .header(header::CONTENT_TYPE, "application/json");
    if let Some(session) = secret.strip_prefix("cookie ") {
        request = request.header(header::COOKIE, format!("svc.at={session}"));
    } else if !secret.is_empty() {
        request = request.header(header::AUTHORIZATION, format!("Bearer {secret}"));
    }
    send(router, request.body(Body::from(body.to_string())).expect("a request")).await
}

async fn guess(router: &Router, address: &str, password: &str) -> Reply {
    let body = login_body("ada@example.com", password);
    from(router, address, Method::POST, "/auth/login", "", body).await
}

/// The secret of the session that signing in opened, as [`from`] takes it.
fn cookie(reply: &Reply) -> String {
    let set = reply.header("set-cookie");
    let secret = set.strip_prefix("svc.at=").and_then(|rest| rest.split(';').next());
    format!("cookie {}", secret.unwrap_or_else(|| panic!("no session: {} {}", reply.status, reply.text)))
}

/// The partitions of all rows.
async fn partitions(t: &TestApp) -> Vec<String> {
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = t.app.table.scan(1_000, after.as_ref()).await.expect("the table can be read");
        found.extend(page.rows.into_iter().map(|row| row.key.pk));
        after = page.cursor;
        if after.is_none() {
            return found;
        }
    }
}

/// 37,652 requests were let in within 15 s, each under a secret of its own, and each left a row.
#[tokio::test]
async fn secrets_that_are_made_up_are_charged_to_the_network_and_leave_nothing() {
    let t = TestApp::new();
    let user = t.account("ada@example.com").await;
    let token = t.token(user.id, &[Scope::Read], None).await;
    let router = router(&t);
    let before = partitions(&t).await.len();
    let mut replies = Vec::new();
    for n in 0..400 {
        // One of them has a whole network of addresses.
        let address = format!("2001:db8:1:2::{n:x}");
        let secret = if n % 2 == 0 { format!("svt_made-up-{n}") } else { format!("cookie made-up-{n}") };
        let path = if n % 3 == 0 { "/runner/hello" } else { "/orgs" };
        replies.push(from(&router, &address, Method::GET, path, &secret, Value::Null).await);
    }
    assert_eq!(served(&replies), 300);
    let left = partitions(&t).await;
    assert_eq!(left.len(), before + 2, "the counters of the network are all that is left: {left:?}");
    // Known people are let in from there too, and others from elsewhere.
    let elsewhere = from(&router, "2001:db8:1:3::1", Method::GET, "/orgs", &token, Value::Null).await;
    assert_eq!(elsewhere.status, StatusCode::OK);
    let known = from(&router, "2001:db8:1:2::1", Method::GET, "/orgs", &token, Value::Null).await;
    assert_eq!(known.status, StatusCode::OK, "this process has met the token");
}

#[tokio::test]
async fn known_tokens_cost_their_network_nothing() {
    let t = TestApp::new();
    let user = t.account("ada@example.com").await;
    let router = router(&t);
    for _ in 0..40 {
        let token = t.token(user.id, &[Scope::Read], None).await;
        for _ in 0..10 {
            let reply = from(&router, "192.0.2.1", Method::GET, "/orgs", &token, Value::Null).await;
            assert_eq!(reply.status, StatusCode::OK);
        }
    }
    let setup = from(&router, "192.0.2.1", Method::GET, "/auth/setup", "", Value::Null).await;
    assert_eq!(setup.status, StatusCode::OK);
}

/// An office shares an address.
#[tokio::test]
async fn a_session_has_a_budget_of_its_own_which_a_renewal_does_not_renew() {
    let t = TestApp::new();
    t.account("ada@example.com").await;
    let router = router(&t);
    let one = cookie(&guess(&router, "192.0.2.1", PASSWORD).await);
    let other = cookie(&guess(&router, "192.0.2.1", PASSWORD).await);
    let mut first = one.clone();
    // Renewing and signing out are not counted with guesses at passwords.
    for _ in 0..20 {
        let renewed = from(&router, "192.0.2.1", Method::POST, "/auth/refresh", &first, Value::Null).await;
        assert_eq!(renewed.status, StatusCode::NO_CONTENT);
        first = cookie(&renewed);
    }
    let mut replies = Vec::new();
    for _ in 0..300 {
        replies.push(from(&router, "192.0.2.1", Method::GET, "/me", &first, Value::Null).await);
    }
    assert_eq!(served(&replies), 280, "under whichever secret");
    let me = from(&router, "192.0.2.1", Method::GET, "/me", &other, Value::Null).await;
    assert_eq!(me.status, StatusCode::OK, "the other session");
    let out = from(&router, "192.0.2.1", Method::POST, "/auth/logout", &other, Value::Null).await;
    assert_eq!(out.status, StatusCode::NO_CONTENT);
}

/// 144 addresses guessed 144 times in two seconds.
#[tokio::test]
async fn many_addresses_guess_a_password_no_faster_than_one_and_lock_nobody_out() {
    let t = TestApp::new();
    t.account("ada@example.com").await;
    let router = router(&t);
    cookie(&guess(&router, "192.0.2.1", PASSWORD).await);
    let mut replies = Vec::new();
    for n in 0..40 {
        replies.push(guess(&router, &format!("198.51.100.{n}"), "wrong password").await);
    }
    assert_eq!(served(&replies), 9, "the person's first sign-in was one of a stranger too");
    let home = guess(&router, "192.0.2.1", PASSWORD).await;
    assert_eq!(home.status, StatusCode::OK, "from where the person signed in before");
    assert_eq!(guess(&router, "203.0.113.9", PASSWORD).await.status, StatusCode::TOO_MANY_REQUESTS);
    t.advance(SignedDuration::from_mins(1));
    assert_eq!(guess(&router, "203.0.113.9", PASSWORD).await.status, StatusCode::OK);
    // Nobody learns by it whether there is an account.
    let stranger = |n: u8| login_from(&router, n, "nobody@example.com");
    let replies = join_all((0..40).map(stranger)).await;
    assert_eq!(served(&replies), 10);
}

async fn login_from(router: &Router, n: u8, email: &str) -> Reply {
    let body = login_body(email, "wrong password");
    from(router, &format!("198.51.100.{n}"), Method::POST, "/auth/login", "", body).await
}

#[tokio::test]
async fn what_strangers_ask_for_keeps_nobody_from_a_new_password() {
    let (t, mailbox) = with_mailbox(TestApp::new());
    t.account("ada@example.com").await;
    let router = router(&t);
    let asked = async |address: &str| {
        let body = json!({ "email": "ada@example.com" });
        from(&router, address, Method::POST, "/auth/password/forgot", "", body).await.status
    };
    for _ in 0..3 {
        assert_eq!(asked("198.51.100.1").await, StatusCode::NO_CONTENT);
    }
    assert_eq!(asked("198.51.100.1").await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(asked("192.0.2.1").await, StatusCode::NO_CONTENT);
    assert_eq!(work(&t).await, 0);
    assert_eq!(mailbox.take().len(), 4);
    // However many ask, the mailbox is not flooded, and whoever asks then has a link in it.
    for n in 0..30 {
        assert_eq!(asked(&format!("203.0.113.{n}")).await, StatusCode::NO_CONTENT);
    }
    assert_eq!(work(&t).await, 0);
    assert_eq!(mailbox.take().len(), 6);
}

#[tokio::test]
async fn who_chose_a_new_password_by_mail_signs_in_whatever_strangers_guess() {
    let (t, mailbox) = with_mailbox(roomy());
    t.account("ada@example.com").await;
    let t_router = router(&t);
    let body = json!({ "email": "ada@example.com" });
    from(&t_router, "192.0.2.1", Method::POST, "/auth/password/forgot", "", body).await;
    assert_eq!(work(&t).await, 0);
    let secret = secret_in(&mailbox.take()[0].email.text);
    let body = json!({ "secret": secret, "newPassword": "another password" });
    let reset = from(&t_router, "192.0.2.1", Method::POST, "/auth/password/reset", "", body).await;
    assert_eq!(reset.status, StatusCode::NO_CONTENT);
    t.advance(SignedDuration::from_mins(1));
    // A process with the usual budgets, on the same store.
    let mut strict = t.beside();
    std::sync::Arc::get_mut(&mut strict.app).unwrap().settings = svc_app::Settings::default();
    let strict = router(&strict);
    for n in 0..20 {
        guess(&strict, &format!("198.51.100.{n}"), "wrong password").await;
    }
    assert_eq!(guess(&strict, "192.0.2.1", "another password").await.status, StatusCode::OK);
}

/// Counters are rows: a disk that takes none stopped every read.
#[tokio::test]
async fn a_full_disk_stops_no_reads_and_the_budget_holds_all_the_same() {
    let (t, disk) = TestApp::new().on_a_disk();
    let user = t.account("ada@example.com").await;
    let token = t.token(user.id, &[Scope::Read, Scope::Write, Scope::Admin], None).await;
    let router = router(&t);
    assert_eq!(t.app.health.condition(&*t.app.table, &*t.app.blobs, t.app.now()).await, Condition::Well);
    disk.fill(true);
    let mut replies = Vec::new();
    for _ in 0..400 {
        replies.push(get(&router, "/orgs", &token).await);
    }
    assert_eq!(served(&replies), 300, "counted in memory");
    assert!(replies[..300].iter().all(|reply| reply.status == StatusCode::OK));
    assert_eq!(t.app.health.condition(&*t.app.table, &*t.app.blobs, t.app.now()).await, Condition::Full);
    t.advance(SignedDuration::from_mins(1));
    let refused = crate::post(&router, "/orgs", &token, json!({"slug": "another", "name": "Another"})).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(refused.text.contains("disk is full"), "{}", refused.text);
    disk.fill(false);
    assert_eq!(t.app.health.condition(&*t.app.table, &*t.app.blobs, t.app.now()).await, Condition::Well);
    assert_eq!(get(&router, "/orgs", &token).await.status, StatusCode::OK);
}

/// An office behind one address: a neighbour's wrong secrets lock nobody out who has a right one.
#[tokio::test]
async fn a_neighbours_wrong_secrets_lock_out_nobody_who_has_a_right_one() {
    let t = TestApp::new();
    let user = t.account("ada@example.com").await;
    let token = t.token(user.id, &[Scope::Read], None).await;
    let router = router(&t);
    let wrong = async |n: usize| {
        from(&router, "10.0.0.1", Method::GET, "/orgs", &format!("svp_{n}"), Value::Null).await.status
    };
    for n in 0..310 {
        wrong(n).await;
    }
    assert_eq!(wrong(311).await, StatusCode::TOO_MANY_REQUESTS);
    let right = from(&router, "10.0.0.1", Method::GET, "/orgs", &token, Value::Null).await;
    assert_eq!(right.status, StatusCode::OK, "{}", right.text);
    // What is looked up for them has an end, too.
    for n in 400..2_000 {
        wrong(n).await;
    }
    let late = t.token(user.id, &[Scope::Read], None).await;
    let late = from(&router, "10.0.0.1", Method::GET, "/orgs", &late, Value::Null).await;
    assert_eq!(late.status, StatusCode::TOO_MANY_REQUESTS);
}

/// Anybody could make an organization with a name of their choice, and have its invitations mailed to everybody.
#[tokio::test]
async fn an_account_and_an_organization_mail_only_so_many_strangers() {
    let (t, mailbox) = with_mailbox(roomy());
    let router = router(&t);
    let org = t.org("demo").await;
    let ada = t.user(&org, "ada@example.com", OrgRole::Owner, false).await;
    let token = t.token(ada, svc_testkit::scopes(), None).await;
    let invite = async |token: &str, n: usize| {
        let body = json!({"email": format!("stranger{n}@example.com"), "preset": "member"});
        call(&router, Method::POST, "/orgs/demo/invitations", Some(token), Some(body)).await
    };
    for n in 0..20 {
        let invited = invite(&token, n).await;
        assert_eq!(invited.status, StatusCode::CREATED, "{}", invited.text);
    }
    let refused = invite(&token, 20).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{}", refused.text);
    assert!(refused.header("retry-after").parse::<u32>().unwrap() > 60, "the rest of the hour");
    let ben = t.user(&org, "ben@example.com", OrgRole::Admin, false).await;
    let other = t.token(ben, svc_testkit::scopes(), None).await;
    assert_eq!(invite(&other, 21).await.status, StatusCode::TOO_MANY_REQUESTS, "the organization's budget");
    work(&t).await;
    assert_eq!(mailbox.take().len(), 20);
    t.advance(SignedDuration::from_hours(1));
    assert_eq!(invite(&token, 20).await.status, StatusCode::CREATED);
    t.advance(SignedDuration::from_hours(24 * 31));
    for n in 100..125 {
        let invited = invite(&token, n).await;
        assert_eq!(invited.status, StatusCode::CREATED, "an organization that is not new: {}", invited.text);
    }
}

//! A person's own account: sessions, password and profile (specification section 5).

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use http::{Method, Request, StatusCode, header};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_domain::identity::{OrgRole, ProjectRole, Scope};
use svc_testkit::{PASSWORD, RED_DOT, Reply, TestApp, call, scopes, send};

use crate::idempotency::keyed;
use crate::post::{Mailbox, secret_in, with_mailbox, work};
use crate::{delete, get, login_body, roomy, router};

const ADA: &str = "ada@example.com";

async fn login(router: &Router, password: &str, client: &str) -> Reply {
    let request = Request::post("/api/v1/auth/login")
        .header(header::HOST, "localhost")
        .header(header::USER_AGENT, client)
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(login_body(ADA, password).to_string()));
    send(router, request.expect("a request")).await
}

async fn signed_in(router: &Router, client: &str) -> String {
    cookie(&login(router, PASSWORD, client).await)
}

fn cookie(reply: &Reply) -> String {
    let cookie = reply.header("set-cookie").trim_start_matches("svc.at=");
    cookie.split(';').next().unwrap_or_default().to_owned()
}

async fn refresh(router: &Router, session: &str) -> Reply {
    call(router, Method::POST, "/auth/refresh", Some(session), None).await
}

async fn works(router: &Router, session: &str) -> bool {
    get(router, "/me", session).await.status == StatusCode::OK
}

async fn change_password(router: &Router, session: &str, current: &str, new: &str) -> Reply {
    let body = json!({ "currentPassword": current, "newPassword": new });
    call(router, Method::POST, "/auth/password", Some(session), Some(body)).await
}

#[tokio::test]
async fn a_renewal_replaces_the_secret_and_lets_the_session_last_anew() {
    let t = roomy();
    t.account(ADA).await;
    let router = router(&t);
    let first = signed_in(&router, "one").await;
    t.advance(SignedDuration::from_hours(24 * 13));
    let second = cookie(&refresh(&router, &first).await);
    assert!(!second.is_empty() && second != first);
    assert!(works(&router, &first).await, "tabs under way may finish");
    let tab = refresh(&router, &first).await;
    assert_eq!((tab.status, tab.header("set-cookie")), (StatusCode::NO_CONTENT, ""), "another tab was first");
    t.advance(SignedDuration::from_hours(24 * 13));
    assert!(works(&router, &second).await, "it lasts from the renewal");
}

#[tokio::test]
async fn a_replaced_secret_that_is_shown_later_ends_the_session_for_both() {
    let t = roomy();
    t.account(ADA).await;
    let router = router(&t);
    let copied = signed_in(&router, "one").await;
    let other = signed_in(&router, "two").await;
    let renewed = cookie(&refresh(&router, &copied).await);
    t.advance(SignedDuration::from_secs(60));
    assert!(works(&router, &renewed).await);
    let shown = get(&router, "/me", &copied).await;
    assert_eq!((shown.status, shown.problem()), (StatusCode::UNAUTHORIZED, "unauthenticated"));
    assert!(!works(&router, &renewed).await, "nobody can tell which of the two is the person");
    assert!(works(&router, &other).await, "other sessions go on");
    let listed = get(&router, "/me/sessions", &other).await;
    assert_eq!(listed.json.as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_renewals_at_once_one_replaces() {
    let t = roomy();
    t.account(ADA).await;
    let routers = [router(&t), router(&t.beside())];
    let session = signed_in(&routers[0], "one").await;
    let replies = futures::future::join_all((0..6).map(|n| refresh(&routers[n % 2], &session))).await;
    assert!(replies.iter().all(|reply| reply.status == StatusCode::NO_CONTENT));
    let cookies: Vec<String> = replies.iter().map(cookie).filter(|cookie| !cookie.is_empty()).collect();
    assert_eq!(cookies.len(), 1);
    assert!(works(&routers[1], &cookies[0]).await);
}

#[tokio::test]
async fn sessions_are_listed_and_ended_one_by_one_or_all_at_once() {
    let t = roomy();
    let ada = t.account(ADA).await;
    let router = router(&t);
    let one = signed_in(&router, "Browser one").await;
    t.advance(SignedDuration::from_mins(5));
    let two = signed_in(&router, "Browser two").await;
    let listed = get(&router, "/me/sessions", &two).await;
    insta::assert_snapshot!(listed.snapshot());
    let id = |n: usize| listed.json[n]["id"].as_str().unwrap().to_owned();

    let eve = t.account("eve@example.com").await;
    let eves = t.token(eve.id, scopes(), None).await;
    let path = format!("/me/sessions/{}", id(1));
    assert_eq!(delete(&router, &path, &eves).await.status, StatusCode::NOT_FOUND, "another's session");
    assert_eq!(delete(&router, &path, &two).await.status, StatusCode::NO_CONTENT);
    assert!(!works(&router, &one).await && works(&router, &two).await);
    assert_eq!(delete(&router, &path, &two).await.status, StatusCode::NOT_FOUND);

    let three = signed_in(&router, "three").await;
    let token = t.token(ada.id, scopes(), None).await;
    let everywhere = delete(&router, "/me/sessions", &three).await;
    assert!(everywhere.header("set-cookie").contains("Max-Age=0"));
    assert!(!works(&router, &two).await && !works(&router, &three).await);
    assert!(works(&router, &token).await, "tokens are revoked, not signed out");
    assert_eq!(get(&router, "/me/sessions", &token).await.json, json!([]));
}

#[tokio::test]
async fn an_account_is_out_of_reach_for_bound_tokens() {
    let t = roomy();
    let org = t.org("demo").await;
    let ada = t.user(&org, ADA, OrgRole::Owner, false).await;
    let bound = t.token(ada, scopes(), Some(&org)).await;
    let router = router(&t);
    for (method, path, body) in [
        (Method::GET, "/me/sessions", None),
        (Method::DELETE, "/me/sessions", None),
        (Method::PATCH, "/me", Some(json!({ "version": 1, "displayName": "Eve" }))),
        (Method::POST, "/auth/password", Some(json!({ "newPassword": "long enough" }))),
    ] {
        assert_eq!(call(&router, method, path, Some(&bound), body).await.problem(), "forbidden", "{path}");
    }
}

#[tokio::test]
async fn a_new_password_ends_every_other_session() {
    let t = roomy();
    t.account(ADA).await;
    let router = router(&t);
    let (own, other) = (signed_in(&router, "one").await, signed_in(&router, "two").await);
    let wrong = change_password(&router, &own, "not this one", "a new password").await;
    insta::assert_snapshot!(wrong.snapshot());
    let short = change_password(&router, &own, PASSWORD, "short").await;
    assert!(short.json["errors"]["newPassword"].is_array(), "{}", short.text);
    assert!(works(&router, &other).await, "nothing happened yet");
    let changed = change_password(&router, &own, PASSWORD, "a new password").await;
    assert_eq!(changed.status, StatusCode::NO_CONTENT);
    assert!(works(&router, &own).await && !works(&router, &other).await);
    assert_eq!(login(&router, PASSWORD, "x").await.problem(), "wrong-password");
    assert_eq!(login(&router, "a new password", "x").await.status, StatusCode::OK);
}

/// An intruder with the old password may have made a token.
#[tokio::test]
async fn a_new_password_ends_tokens_unless_they_are_kept() {
    let t = roomy();
    t.account(ADA).await;
    let router = router(&t);
    let own = signed_in(&router, "one").await;
    let token = async || {
        let body = json!({ "name": "ci", "scopes": ["read", "admin"] });
        let made = call(&router, Method::POST, "/me/tokens", Some(&own), Some(body)).await;
        made.json["secret"].as_str().unwrap().to_owned()
    };
    let (changing, other) = (token().await, token().await);
    let body = json!({ "currentPassword": PASSWORD, "newPassword": "a new password", "keepTokens": true });
    let changed = call(&router, Method::POST, "/auth/password", Some(&own), Some(body)).await;
    assert_eq!(changed.status, StatusCode::NO_CONTENT, "{}", changed.text);
    assert!(works(&router, &changing).await && works(&router, &other).await);
    // A token that changes the password itself goes on.
    let changed = change_password(&router, &changing, "a new password", "a newer password").await;
    assert_eq!(changed.status, StatusCode::NO_CONTENT, "{}", changed.text);
    assert!(works(&router, &changing).await);
    assert!(!works(&router, &other).await && !works(&router, &own).await);
}

/// As many sessions as there can be, and more tokens than fit one commit beside them.
#[tokio::test]
async fn a_new_password_ends_much_at_once_and_answers_the_same_when_repeated() {
    let t = roomy();
    t.account(ADA).await;
    let router = router(&t);
    let own = signed_in(&router, "own").await;
    let mut others = Vec::new();
    for number in 1..40 {
        others.push(signed_in(&router, &format!("s{number}")).await);
    }
    for number in 0..40 {
        let body = json!({ "name": format!("t{number}"), "scopes": ["read"] });
        let made = crate::post(&router, "/me/tokens", &own, body).await;
        others.push(made.json["secret"].as_str().expect("a token").to_owned());
    }
    let body = json!({ "currentPassword": PASSWORD, "newPassword": "a new password" });
    let changed = keyed(&router, &own, "k", "/auth/password", &body).await;
    assert_eq!(changed.status, StatusCode::NO_CONTENT, "{}", changed.text);
    for other in &others {
        assert!(!works(&router, other).await);
    }
    let again = keyed(&router, &own, "k", "/auth/password", &body).await;
    assert_eq!((again.status, again.header("content-type")), (StatusCode::NO_CONTENT, ""));
    assert_eq!(again.header("idempotent-replayed"), "true");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_sign_in_with_the_old_password_outlives_the_change() {
    for round in 0..5 {
        let t = roomy();
        t.account(ADA).await;
        let routers = [router(&t), router(&t.beside())];
        let own = signed_in(&routers[0], "own").await;
        let logins = futures::future::join_all((0..4).map(|_| login(&routers[1], PASSWORD, "x")));
        let changing = change_password(&routers[0], &own, PASSWORD, "a new password");
        let (logins, changed) = futures::join!(logins, changing);
        assert_eq!(changed.status, StatusCode::NO_CONTENT, "round {round}: {}", changed.text);
        for reply in logins {
            assert!(!works(&routers[0], &cookie(&reply)).await, "round {round}");
        }
    }
}

async fn forgot(router: &Router, email: &str) -> Reply {
    call(router, Method::POST, "/auth/password/forgot", None, Some(json!({ "email": email }))).await
}

async fn reset(router: &Router, secret: &str) -> Reply {
    let body = json!({ "secret": secret, "newPassword": "another password" });
    call(router, Method::POST, "/auth/password/reset", None, Some(body)).await
}

async fn mailed(t: &TestApp, mailbox: &Arc<Mailbox>) -> Vec<String> {
    assert_eq!(work(t).await, 0);
    mailbox.take().iter().map(|mail| secret_in(&mail.email.text)).collect()
}

#[tokio::test]
async fn a_link_to_a_new_password_works_once_and_signs_out_everywhere() {
    let (t, mailbox) = with_mailbox(roomy());
    t.account(ADA).await;
    let router = router(&t);
    let session = signed_in(&router, "one").await;
    // More tokens than fit one commit beside the sessions.
    let mut tokens = Vec::new();
    for number in 0..40 {
        let body = json!({ "name": format!("t{number}"), "scopes": ["read"] });
        let made = crate::post(&router, "/me/tokens", &session, body).await;
        tokens.push(made.json["secret"].as_str().expect("a token").to_owned());
    }
    forgot(&router, "Ada@Example.com").await;
    forgot(&router, ADA).await;
    let links = mailed(&t, &mailbox).await;
    assert_eq!(links.len(), 2);
    assert!(works(&router, &session).await, "asking changes nothing");
    assert_eq!(reset(&router, &links[0]).await.status, StatusCode::NO_CONTENT);
    assert!(!works(&router, &session).await);
    for token in &tokens {
        assert!(!works(&router, token).await, "a reset ends access tokens too");
    }
    assert_eq!(login(&router, PASSWORD, "x").await.problem(), "wrong-password");
    assert_eq!(login(&router, "another password", "x").await.status, StatusCode::OK);
    insta::assert_snapshot!(reset(&router, &links[0]).await.snapshot());
    assert_eq!(reset(&router, &links[1]).await.problem(), "conflict", "one new password ends all links");
    assert_eq!(reset(&router, "svr_none").await.problem(), "conflict");
}

#[tokio::test]
async fn a_link_to_a_new_password_lasts_an_hour() {
    let (t, mailbox) = with_mailbox(roomy());
    t.account(ADA).await;
    let router = router(&t);
    forgot(&router, ADA).await;
    let links = mailed(&t, &mailbox).await;
    t.advance(SignedDuration::from_mins(60));
    assert_eq!(reset(&router, &links[0]).await.problem(), "conflict");
}

#[tokio::test]
async fn who_asks_for_a_link_does_not_learn_whether_there_is_an_account() {
    let (t, mailbox) = with_mailbox(roomy());
    t.account(ADA).await;
    let router = router(&t);
    let (known, unknown) = (forgot(&router, ADA).await, forgot(&router, "nobody@example.com").await);
    assert_eq!((known.status, known.snapshot()), (StatusCode::NO_CONTENT, unknown.snapshot()));
    assert_eq!(mailed(&t, &mailbox).await.len(), 1);
    for email in [ADA, "nobody@example.com"] {
        let mut answers = Vec::new();
        for _ in 0..4 {
            answers.push(forgot(&router, email).await.status);
        }
        assert_eq!(answers.last(), Some(&StatusCode::TOO_MANY_REQUESTS), "{email}: {answers:?}");
    }
    let off = roomy();
    let reply = forgot(&crate::router(&off), ADA).await;
    assert_eq!(reply.problem(), "conflict");
}

#[tokio::test]
async fn a_profile_is_changed_in_the_version_that_was_read_and_lists_follow() {
    let t = roomy();
    let org = t.org("demo").await;
    let project = t.project(&org, "PRJ").await;
    let ada = t.user(&org, ADA, OrgRole::Member, false).await;
    t.project_member(&org, &project, ada, ProjectRole::Member).await;
    let token = t.token(ada, scopes(), None).await;
    let router = router(&t);
    let patch = |body: Value| call(&router, Method::PATCH, "/me", Some(&token), Some(body));
    let renamed = patch(json!({ "version": 1, "displayName": " Ada Lovelace " })).await;
    assert_eq!((&renamed.json["displayName"], &renamed.json["version"]), (&json!("Ada Lovelace"), &json!(2)));
    let stale = patch(json!({ "version": 1, "displayName": "Ada" })).await;
    assert_eq!((stale.problem(), &stale.json["currentVersion"]), ("stale-version", &json!(2)));

    assert_eq!(work(&t).await, 0);
    let member = get(&router, "/orgs/demo/members", &token).await.json[0].clone();
    assert_eq!(member["displayName"], "Ada Lovelace");
    let in_project = get(&router, "/orgs/demo/projects/PRJ/members", &token).await;
    assert_eq!(in_project.json[0]["displayName"], "Ada Lovelace");
}

async fn patch_me(router: &Router, token: &str, body: Value) -> Reply {
    call(router, Method::PATCH, "/me", Some(token), Some(body)).await
}

async fn confirm(router: &Router, secret: &str) -> Reply {
    call(router, Method::POST, "/auth/email/confirm", None, Some(json!({ "secret": secret }))).await
}

async fn signs_in(router: &Router, email: &str) -> bool {
    let body = Some(login_body(email, PASSWORD));
    call(router, Method::POST, "/auth/login", None, body).await.status == StatusCode::OK
}

/// Mails that went to an address.
fn to<'a>(mails: &'a [svc_app::ports::Envelope], address: &str) -> Vec<&'a svc_app::ports::Envelope> {
    mails.iter().filter(|mail| mail.to == address).collect()
}

#[tokio::test]
async fn a_new_address_takes_effect_when_it_confirms_and_the_old_one_is_told() {
    let (t, mailbox) = with_mailbox(roomy());
    let org = t.org("demo").await;
    let ada = t.user(&org, ADA, OrgRole::Owner, false).await;
    let token = t.token(ada, scopes(), None).await;
    let router = router(&t);
    let unproven = patch_me(&router, &token, json!({ "version": 1, "email": "lovelace@example.com" })).await;
    assert!(unproven.json["errors"]["currentPassword"].is_array(), "{}", unproven.text);
    let body = json!({ "version": 1, "email": "lovelace@example.com", "currentPassword": PASSWORD });
    let asked = patch_me(&router, &token, body).await;
    assert_eq!(
        (&asked.json["email"], &asked.json["newEmail"]),
        (&json!(ADA), &json!("lovelace@example.com"))
    );
    assert_eq!(work(&t).await, 0);
    assert!(signs_in(&router, ADA).await && !signs_in(&router, "lovelace@example.com").await);

    let mails = mailbox.take();
    let (told, question) = (to(&mails, ADA), to(&mails, "lovelace@example.com"));
    assert_eq!((told.len(), question.len(), mails.len()), (1, 1, 2));
    assert!(!told[0].email.text.contains('#'), "the link goes to the new address only");
    let secret = secret_in(&question[0].email.text);
    assert_eq!(confirm(&router, &secret).await.status, StatusCode::NO_CONTENT);
    assert!(!signs_in(&router, ADA).await && signs_in(&router, "lovelace@example.com").await);
    let me = get(&router, "/me", &token).await.json;
    assert_eq!((&me["email"], me.get("newEmail")), (&json!("lovelace@example.com"), None));
    assert_eq!(work(&t).await, 0);
    let listed = get(&router, "/orgs/demo/members", &token).await.json[0]["email"].clone();
    assert_eq!(listed, "lovelace@example.com");
    assert_eq!(confirm(&router, &secret).await.problem(), "conflict", "a link works once");
}

#[tokio::test]
async fn a_link_to_a_new_address_ends_with_another_wish_a_new_password_and_a_day() {
    let (t, mailbox) = with_mailbox(roomy());
    let ada = t.account(ADA).await;
    let token = t.session(ada.id).await;
    let router = router(&t);
    let version = async || get(&router, "/me", &token).await.json["version"].clone();
    let link = async |email: &str, password: &str| {
        let body = json!({ "version": version().await, "email": email, "currentPassword": password });
        let asked = patch_me(&router, &token, body).await;
        assert_eq!(asked.status, StatusCode::OK, "{}", asked.text);
        assert_eq!(work(&t).await, 0);
        secret_in(&to(&mailbox.take(), email)[0].email.text)
    };
    let first = link("one@example.com", PASSWORD).await;
    let second = link("two@example.com", PASSWORD).await;
    assert_eq!(confirm(&router, &first).await.problem(), "conflict", "another one was asked for");
    change_password(&router, &token, PASSWORD, "a new password").await;
    assert_eq!(confirm(&router, &second).await.problem(), "conflict", "who has the password stopped it");
    let third = link("three@example.com", "a new password").await;
    t.advance(SignedDuration::from_hours(24));
    assert_eq!(confirm(&router, &third).await.problem(), "conflict", "it is late");
    assert_eq!(confirm(&router, "sve_none").await.problem(), "conflict");
}

#[tokio::test]
async fn only_who_reads_its_mail_learns_that_an_address_is_taken() {
    let (t, mailbox) = with_mailbox(roomy());
    let ada = t.account(ADA).await;
    t.account("eve@example.com").await;
    let token = t.token(ada.id, scopes(), None).await;
    let router = router(&t);
    let body = json!({ "version": 1, "email": "EVE@example.com", "currentPassword": PASSWORD });
    assert_eq!(patch_me(&router, &token, body).await.status, StatusCode::OK);
    assert_eq!(work(&t).await, 0);
    let secret = secret_in(&to(&mailbox.take(), "EVE@example.com")[0].email.text);
    assert_eq!(confirm(&router, &secret).await.problem(), "already-exists");
    assert!(signs_in(&router, ADA).await && signs_in(&router, "eve@example.com").await);
}

#[tokio::test]
async fn a_link_to_a_new_password_that_went_to_the_old_address_ends_with_it() {
    let (t, mailbox) = with_mailbox(roomy());
    let ada = t.account(ADA).await;
    let token = t.token(ada.id, scopes(), None).await;
    let router = router(&t);
    forgot(&router, ADA).await;
    let old = mailed(&t, &mailbox).await.remove(0);
    let body = json!({ "version": 1, "email": "new@example.com", "currentPassword": PASSWORD });
    patch_me(&router, &token, body).await;
    assert_eq!(work(&t).await, 0);
    let secret = secret_in(&to(&mailbox.take(), "new@example.com")[0].email.text);
    assert_eq!(confirm(&router, &secret).await.status, StatusCode::NO_CONTENT);
    assert_eq!(reset(&router, &old).await.problem(), "conflict");
}

#[tokio::test]
async fn without_mail_an_address_changes_its_case_only() {
    let t = roomy();
    let ada = t.account(ADA).await;
    let token = t.token(ada.id, scopes(), None).await;
    let router = router(&t);
    let other = json!({ "version": 1, "email": "ceo@victim.example", "currentPassword": PASSWORD });
    insta::assert_snapshot!(patch_me(&router, &token, other).await.snapshot());
    let case = json!({ "version": 1, "email": "Ada@Example.com", "currentPassword": PASSWORD });
    assert_eq!(patch_me(&router, &token, case).await.json["email"], "Ada@Example.com");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_token_that_is_made_meanwhile_outlives_a_reset() {
    for round in 0..5 {
        let (t, mailbox) = with_mailbox(roomy());
        t.account(ADA).await;
        let routers = [router(&t), router(&t.beside())];
        let session = signed_in(&routers[1], "own").await;
        forgot(&routers[0], ADA).await;
        let link = mailed(&t, &mailbox).await.remove(0);
        let make = |n: usize| {
            let body = json!({ "name": format!("t{n}"), "scopes": ["read"] });
            let (router, session) = (&routers[1], &session);
            async move { crate::post(router, "/me/tokens", session, body).await }
        };
        let making = futures::future::join_all((0..4).map(make));
        let (made, done) = futures::join!(making, reset(&routers[0], &link));
        assert_eq!(done.status, StatusCode::NO_CONTENT, "round {round}: {}", done.text);
        for reply in made.iter().filter(|reply| reply.status == StatusCode::CREATED) {
            let secret = reply.json["secret"].as_str().unwrap();
            assert!(!works(&routers[0], secret).await, "round {round}");
        }
    }
}

#[tokio::test]
async fn the_last_use_of_a_token_is_known_to_the_hour() {
    let t = roomy();
    let ada = t.account(ADA).await;
    let maker = t.token(ada.id, scopes(), None).await;
    let router = router(&t);
    let body = json!({ "name": "ci", "scopes": ["read"] });
    let made = crate::post(&router, "/me/tokens", &maker, body).await;
    let secret = made.json["secret"].as_str().unwrap().to_owned();
    let listed = || async { get(&router, "/me/tokens", &maker).await.json[0]["lastUsedAt"].clone() };
    assert_eq!(listed().await, Value::Null);
    let used = t.now();
    assert!(works(&router, &secret).await);
    until(async || listed().await == json!(used)).await;
    t.advance(SignedDuration::from_hours(2));
    let used = t.now();
    for _ in 0..3 {
        assert!(works(&router, &secret).await);
    }
    until(async || listed().await == json!(used)).await;
}

async fn until(holds: impl AsyncFn() -> bool) {
    let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(60);
    while !holds().await {
        assert!(tokio::time::Instant::now() < deadline, "it never came to hold");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn an_organization_is_renamed_and_closed_by_who_may() {
    let t = roomy();
    let org = t.org("demo").await;
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let admin = t.user(&org, "admin@example.com", OrgRole::Admin, false).await;
    let member = t.user(&org, ADA, OrgRole::Member, false).await;
    let owners = t.token(owner, scopes(), None).await;
    let admins = t.token(admin, scopes(), None).await;
    let members = t.token(member, scopes(), None).await;
    let weak = t.token(owner, &[Scope::Read, Scope::Write], None).await;
    let router = router(&t);
    let patch = |token: &str, body: Value| {
        let (router, token) = (router.clone(), token.to_owned());
        async move { call(&router, Method::PATCH, "/orgs/demo", Some(&token), Some(body)).await }
    };
    let renamed = patch(&admins, json!({ "version": 1, "name": "Demo Ltd" })).await;
    assert_eq!((&renamed.json["name"], &renamed.json["version"]), (&json!("Demo Ltd"), &json!(2)));
    assert_eq!(patch(&members, json!({ "version": 2, "name": "Mine" })).await.problem(), "forbidden");
    assert_eq!(patch(&weak, json!({ "version": 2, "name": "Mine" })).await.problem(), "missing-scope");
    assert_eq!(patch(&admins, json!({ "version": 1, "name": "Late" })).await.problem(), "stale-version");
    assert_eq!(patch(&admins, json!({ "version": 2, "readOnly": true })).await.problem(), "forbidden");
    let closed = patch(&owners, json!({ "version": 2, "readOnly": true })).await;
    assert_eq!(closed.json["readOnly"], true);
    let refused = patch(&owners, json!({ "version": 3, "name": "Other" })).await;
    assert_eq!(refused.problem(), "organization-read-only");
    let leaving = call(&router, Method::POST, "/orgs/demo/leave", Some(&members), None).await;
    assert_eq!(leaving.problem(), "organization-read-only");
    assert_eq!(get(&router, "/orgs/demo/members", &members).await.status, StatusCode::OK, "reading works");
    let opened = patch(&owners, json!({ "version": 3, "readOnly": false, "name": "Open" })).await;
    assert_eq!((&opened.json["readOnly"], &opened.json["name"]), (&json!(false), &json!("Open")));
}

#[tokio::test]
async fn people_leave_but_for_the_last_owner() {
    let t = roomy();
    let org = t.org("demo").await;
    let project = t.project(&org, "PRJ").await;
    let owner = t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
    let ada = t.user(&org, ADA, OrgRole::Guest, false).await;
    t.project_member(&org, &project, ada, ProjectRole::Member).await;
    let (owners, adas) = (t.token(owner, scopes(), None).await, t.token(ada, scopes(), None).await);
    let router = router(&t);
    let leave = |token: String| {
        let router = router.clone();
        async move { call(&router, Method::POST, "/orgs/demo/leave", Some(&token), None).await }
    };
    assert_eq!(leave(owners.clone()).await.problem(), "conflict");
    assert_eq!(leave(adas.clone()).await.status, StatusCode::NO_CONTENT);
    assert_eq!(get(&router, "/orgs", &adas).await.json, json!([]));
    assert_eq!(leave(adas).await.status, StatusCode::NOT_FOUND);
    assert_eq!(get(&router, "/orgs/demo/projects/PRJ/members", &owners).await.json, json!([]));
    let heir = t.user(&org, "heir@example.com", OrgRole::Member, false).await;
    let path = format!("/orgs/demo/members/{heir}");
    let body = Some(json!({ "version": 1, "role": "owner" }));
    assert_eq!(call(&router, Method::PATCH, &path, Some(&owners), body).await.status, StatusCode::OK);
    assert_eq!(leave(owners).await.status, StatusCode::NO_CONTENT, "ownership was handed over");
}

async fn put_picture(router: &Router, token: &str, bytes: impl Into<Body>) -> Reply {
    let request = Request::put("/api/v1/me/avatar").header(header::AUTHORIZATION, format!("Bearer {token}"));
    send(router, request.body(bytes.into()).expect("a request")).await
}

#[tokio::test]
async fn a_picture_has_a_key_of_its_own_until_it_is_replaced_or_taken_away() {
    let t = roomy();
    let org = t.org("demo").await;
    let ada = t.user(&org, ADA, OrgRole::Member, false).await;
    let token = t.token(ada, scopes(), None).await;
    let router = router(&t);
    let keys = async |token: &str| {
        assert_eq!(work(&t).await, 0);
        let me = get(&router, "/me", token).await.json["avatarKey"].clone();
        let listed = get(&router, "/orgs/demo/members", token).await.json[0]["avatarKey"].clone();
        assert_eq!(me, listed, "lists follow");
        me
    };
    assert_eq!(keys(&token).await, Value::Null);

    let first = put_picture(&router, &token, RED_DOT).await.json["avatarKey"].clone();
    assert_eq!(keys(&token).await, first);
    let address = |key: &Value| format!("/avatars/{}", key.as_str().expect("a key"));
    let shown = get(&router, &address(&first), &token).await;
    assert_eq!((shown.status, shown.header("content-type")), (StatusCode::OK, "image/jpeg"));
    assert_eq!(shown.header("cache-control"), "private, max-age=31536000, immutable");
    assert_eq!(shown.header("content-security-policy"), "sandbox; default-src 'none'");

    let second = put_picture(&router, &token, RED_DOT).await.json["avatarKey"].clone();
    assert_ne!(first, second, "so that nobody shows the old one from memory");
    assert_eq!(keys(&token).await, second);
    assert_eq!(get(&router, &address(&first), &token).await.problem(), "not-found");
    let again = t.account("eve@example.com").await;
    t.join(&org, &again, OrgRole::Guest, false).await;
    let eve = t.token(again.id, scopes(), None).await;
    assert_eq!(get(&router, &address(&second), &eve).await.status, StatusCode::OK);

    for _ in 0..2 {
        assert_eq!(delete(&router, "/me/avatar", &token).await.status, StatusCode::NO_CONTENT);
        assert_eq!(keys(&token).await, Value::Null);
    }
    assert_eq!(get(&router, &address(&second), &eve).await.problem(), "not-found");
}

#[tokio::test]
async fn what_cannot_be_a_picture_is_refused_and_the_old_one_stays() {
    let t = roomy();
    let ada = t.account(ADA).await;
    let token = t.token(ada.id, scopes(), None).await;
    let router = router(&t);
    let key = put_picture(&router, &token, RED_DOT).await.json["avatarKey"].clone();
    let none = put_picture(&router, &token, "<svg onload='alert(1)'/>").await;
    assert_eq!((none.status.as_u16(), none.problem()), (422, "validation-failed"));
    assert_eq!(none.json["errors"]["image"], json!(["Send a PNG, JPEG, GIF or WebP image."]));
    let damaged = put_picture(&router, &token, &RED_DOT[..50]).await;
    assert!(damaged.json["errors"]["image"][0].as_str().unwrap().contains("damaged"), "{}", damaged.text);
    let large = put_picture(&router, &token, vec![0; 5 * 1024 * 1024 + 1]).await;
    assert_eq!((large.status.as_u16(), large.problem()), (413, "too-large"));
    assert_eq!(get(&router, "/me", &token).await.json["avatarKey"], key);
}

//! Administering the instance: who may, what disabling an account does, and what is told of it.

use axum::Router;
use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_app::administration::{AdminCaller, make_password_link};
use svc_app::settings::Creators;
use svc_domain::identity::OrgRole;
use svc_domain::ids::UserId;
use svc_storage::{Limits, keys};
use svc_testkit::{PASSWORD, Reply, TestApp, call, scopes};

use crate::first_run::register_body;
use crate::post::{secret_in, with_mailbox, work};
use crate::{delete, get, login_body, post, roomy, roomy_settings, router};

const ADA: &str = "ada@example.com";
const BEN: &str = "ben@example.com";

struct World {
    t: TestApp,
    router: Router,
    /// Token of the admin of the instance, who is in no organization.
    admin: String,
    /// Member of the organization `demo`, whose Owner is Cleo.
    ben: UserId,
    cleo: String,
}

impl World {
    async fn new() -> Self {
        Self::of(TestApp::with(settings())).await
    }

    async fn of(t: TestApp) -> Self {
        let org = t.org("demo").await;
        let ada = t.account(ADA).await;
        let ben = t.user(&org, BEN, OrgRole::Member, false).await;
        let cleo = t.user(&org, "cleo@example.com", OrgRole::Owner, false).await;
        let (admin, cleo) = (t.token(ada.id, scopes(), None).await, t.token(cleo, scopes(), None).await);
        Self { router: router(&t), t, admin, ben, cleo }
    }

    async fn act(&self, what: &str) -> Reply {
        let path = format!("/admin/accounts/{}/{what}", self.ben);
        call(&self.router, Method::POST, &path, Some(&self.admin), None).await
    }

    async fn login(&self, password: &str) -> Reply {
        call(&self.router, Method::POST, "/auth/login", None, Some(login_body(BEN, password))).await
    }
}

fn settings() -> svc_app::Settings {
    let mut settings = roomy_settings();
    settings.administration.admins = format!("somebody@example.com, {}", ADA.to_uppercase());
    settings
}

fn cookie(reply: &Reply) -> String {
    let cookie = reply.header("set-cookie").trim_start_matches("svc.at=");
    cookie.split(';').next().unwrap_or_default().to_owned()
}

/// What lines of an audit log say, newest first.
fn told(reply: &Reply) -> Vec<String> {
    let word = |line: &Value, field: &str| line[field].as_str().unwrap_or("-").to_owned();
    let line = |line: &Value| {
        let by = line["by"]["name"].as_str().unwrap_or("-");
        let [action, email, via] = ["action", "email", "via"].map(|field| word(line, field));
        format!("{by}: {action} {email} by {via}")
    };
    reply.json["entries"].as_array().into_iter().flatten().map(line).collect()
}

#[tokio::test]
async fn a_disabled_account_is_out_at_once_and_in_again_when_it_is_enabled() {
    let w = World::new().await;
    let session = cookie(&w.login(PASSWORD).await);
    let token = w.t.token(w.ben, scopes(), None).await;
    let made = post(&w.router, "/me/tokens", &token, json!({"name": "CI", "scopes": ["read"]})).await;
    let made = made.json["secret"].as_str().unwrap().to_owned();
    let disabled = w.act("disable").await;
    assert_eq!(disabled.status, StatusCode::OK, "{}", disabled.text);
    assert!(disabled.json["disabledAt"].is_string() && disabled.json["lastSignInAt"].is_string());
    for secret in [&session, &made] {
        assert_eq!(get(&w.router, "/me", secret).await.status, StatusCode::UNAUTHORIZED);
    }
    let refused = w.login(PASSWORD).await;
    assert_eq!((refused.status, refused.problem()), (StatusCode::FORBIDDEN, "forbidden"));
    assert!(refused.text.contains("disabled your account") && refused.header("set-cookie").is_empty());
    let wrong = w.login("not the password").await;
    assert_eq!(wrong.problem(), "wrong-password", "strangers are not told");
    assert_eq!(w.act("disable").await.status, StatusCode::OK, "again");

    let enabled = w.act("enable").await;
    assert!(enabled.json.get("disabledAt").is_none(), "{}", enabled.text);
    assert_eq!(w.login(PASSWORD).await.status, StatusCode::OK);
    assert_eq!(get(&w.router, "/me", &made).await.status, StatusCode::UNAUTHORIZED, "it does not come back");

    let log = get(&w.router, "/admin/audit", &w.admin).await;
    let by_ada = |action: &str, via: &str| format!("ada: {action} {BEN} by {via}");
    assert_eq!(told(&log), [by_ada("accountEnabled", "-"), by_ada("accountDisabled", "-")]);
    let of_org =
        told(&get(&w.router, "/orgs/demo/audit?action=accountEnabled,accountDisabled", &w.cleo).await);
    let via = "administration of the instance";
    assert_eq!(of_org, [by_ada("accountEnabled", via), by_ada("accountDisabled", via)]);
}

#[tokio::test]
async fn a_new_password_does_not_let_a_disabled_account_in() {
    let w = World::new().await;
    w.act("disable").await;
    let link = w.act("password-link").await;
    assert_eq!(link.json["mailed"], false);
    let body =
        json!({"secret": secret_in(link.json["link"].as_str().unwrap()), "newPassword": "another long one"});
    let reset = call(&w.router, Method::POST, "/auth/password/reset", None, Some(body)).await;
    assert_eq!(reset.status, StatusCode::NO_CONTENT, "{}", reset.text);
    assert_eq!(w.login("another long one").await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn an_admin_does_not_see_the_link_to_the_account_of_another_where_mail_is_sent() {
    let (t, mailbox) = with_mailbox(TestApp::with(settings()));
    let w = World::of(t).await;
    let link = w.act("password-link").await;
    assert_eq!(link.json, json!({"mailed": true}));
    assert_eq!(work(&w.t).await, 0);
    let mails = mailbox.take();
    assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), [BEN]);
    let tested = call(&w.router, Method::POST, "/admin/mail-test", Some(&w.admin), None).await;
    assert_eq!(tested.json, json!({"to": ADA, "taken": true}));
    assert_eq!(mailbox.take().len(), 1);
}

#[tokio::test]
async fn signing_out_ends_sessions_and_leaves_tokens() {
    let w = World::new().await;
    let session = cookie(&w.login(PASSWORD).await);
    let token = w.t.token(w.ben, scopes(), None).await;
    assert_eq!(w.act("sign-out").await.status, StatusCode::OK);
    assert_eq!(get(&w.router, "/me", &session).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(get(&w.router, "/me", &token).await.status, StatusCode::OK);
    assert_eq!(w.login(PASSWORD).await.status, StatusCode::OK);
}

#[tokio::test]
async fn an_admin_of_the_instance_sees_accounts_and_organizations_and_nothing_in_them() {
    let w = World::new().await;
    let found = get(&w.router, "/admin/accounts?pageSize=1", &w.admin).await;
    assert_eq!((&found.json["totalCount"], &found.json["items"][0]["email"]), (&json!(2), &json!(BEN)));
    let memberships = json!([{"slug": "demo", "role": "member"}]);
    assert_eq!(found.json["items"][0]["organizations"], memberships);
    let by_name = get(&w.router, "/admin/accounts?q=CLE", &w.admin).await;
    assert_eq!(by_name.json["items"][0]["email"], "cleo@example.com");
    let alone = get(&w.router, "/admin/accounts?q=ada@example.com", &w.admin).await;
    assert_eq!(alone.json["items"][0]["instanceAdmin"], true, "in no organization: {}", alone.text);
    let orgs = get(&w.router, "/admin/orgs", &w.admin).await;
    assert_eq!(orgs.json["items"][0]["owners"], json!(["cleo@example.com"]));
    assert_eq!(get(&w.router, "/orgs/demo/members", &w.admin).await.status, StatusCode::NOT_FOUND);
    for _ in 0..2 {
        let body = json!({"plan": "free"});
        let set = call(&w.router, Method::PUT, "/admin/orgs/demo/plan", Some(&w.admin), Some(body)).await;
        assert_eq!(set.json["plan"], "free");
    }
    let log = get(&w.router, "/orgs/demo/audit?action=planSet", &w.cleo).await;
    assert_eq!(log.json["entries"].as_array().map(Vec::len), Some(1), "again changes nothing: {}", log.text);
    assert_eq!(
        (&log.json["entries"][0]["from"], &log.json["entries"][0]["to"]),
        (&json!("none"), &json!("free"))
    );
    let how = get(&w.router, "/admin", &w.admin).await;
    assert_eq!((&how.json["store"], &how.json["organizations"]), (&json!("well"), &json!(1)));
}

#[tokio::test]
async fn no_admin_disables_their_own_account() {
    let mut w = World::new().await;
    let me = get(&w.router, "/me", &w.admin).await;
    w.ben = me.json["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(w.act("disable").await.status, StatusCode::CONFLICT);
    assert_eq!(get(&w.router, "/me", &w.admin).await.json["instanceAdmin"], true);
}

/// Each was an admin when they asked, and nobody was left.
#[tokio::test]
async fn of_two_admins_who_disable_each_other_one_is_left() {
    let mut settings = settings();
    settings.administration.admins = format!("{ADA}, {BEN}");
    let w = World::of(TestApp::with(settings)).await;
    let (beside, gate) = w.t.beside().gated();
    let there = router(&beside);
    let made = async |by: &str| {
        let new = json!({"name": "CI", "scopes": ["read", "write", "admin"]});
        post(&w.router, "/me/tokens", by, new).await.json["secret"].as_str().unwrap().to_owned()
    };
    let ada: UserId = get(&w.router, "/me", &w.admin).await.json["id"].as_str().unwrap().parse().unwrap();
    let (by_ada, by_ben) = (made(&w.admin).await, made(&w.t.token(w.ben, scopes(), None).await).await);
    let paths = [w.ben, ada].map(|user| format!("/admin/accounts/{user}/disable"));
    let first = call(&there, Method::POST, &paths[0], Some(&by_ada), None);
    let second = call(&w.router, Method::POST, &paths[1], Some(&by_ben), None);
    let (first, second) = gate.meanwhile(keys::sessions(w.ben), first, second).await;
    assert_eq!(second.status, StatusCode::OK, "{}", second.text);
    assert_eq!(first.status, StatusCode::UNAUTHORIZED, "{}", first.text);
    assert_eq!(get(&w.router, "/admin", &by_ben).await.status, StatusCode::OK);
}

/// A commit has room for so many lines of organizations.
#[tokio::test]
async fn an_account_of_very_many_organizations_is_administered_like_any_other() {
    let (t, mailbox) = with_mailbox(TestApp::with(settings()));
    let w = World::of(t).await;
    let ben = w.t.app.table.get(&keys::user(w.ben)).await.unwrap().unwrap().read().unwrap();
    for number in 0..Limits::OPS {
        let org = w.t.org(&format!("org-{number}")).await;
        w.t.join(&org, &ben, OrgRole::Member, false).await;
    }
    for what in ["disable", "enable", "sign-out", "password-link"] {
        let path = format!("/api/v1/admin/accounts/{}/{what}", w.ben);
        let request = http::Request::post(path)
            .header(http::header::AUTHORIZATION, format!("Bearer {}", w.admin))
            .header("idempotency-key", what)
            .body(axum::body::Body::empty());
        let done = svc_testkit::send(&w.router, request.unwrap()).await;
        assert_eq!(done.status, StatusCode::OK, "{what}: {}", done.text);
    }
    assert_eq!(work(&w.t).await, 0);
    assert_eq!(mailbox.take().len(), 1);
    make_password_link(&w.t.app, AdminCaller::Console, w.ben).await.unwrap();
}

/// Without mail, anybody can make an account of any address.
#[tokio::test]
async fn an_address_that_nobody_confirmed_administers_nothing() {
    let t = TestApp::with(settings());
    let org = t.org("demo").await;
    let cleo = t.user(&org, "cleo@example.com", OrgRole::Owner, false).await;
    let cleo = t.token(cleo, scopes(), None).await;
    let router = router(&t);
    let invited =
        post(&router, "/orgs/demo/invitations", &cleo, json!({"email": ADA, "preset": "guest"})).await;
    let secret = secret_in(invited.json["link"].as_str().unwrap());
    let body = json!({"secret": secret, "displayName": "Mallory", "password": "long enough"});
    let joined = call(&router, Method::POST, "/auth/invitations/accept", None, Some(body)).await;
    let mallory = cookie(&joined);
    assert!(get(&router, "/me", &mallory).await.json.get("instanceAdmin").is_none());
    let refused = get(&router, "/admin/accounts", &mallory).await;
    assert_eq!((refused.status, refused.problem()), (StatusCode::FORBIDDEN, "forbidden"));
}

#[tokio::test]
async fn the_first_account_administers_an_embedded_instance_unless_the_setting_names_others() {
    for (embedded, named, is_admin) in
        [(true, "", true), (false, "", false), (true, "boss@example.com", false)]
    {
        let mut settings = roomy_settings();
        settings.administration.first_account = embedded;
        settings.administration.admins = named.to_owned();
        let t = TestApp::with(settings);
        let router = router(&t);
        let body = register_body(ADA, "demo");
        let first = cookie(&call(&router, Method::POST, "/auth/register", None, Some(body)).await);
        let status = get(&router, "/admin", &first).await.status;
        assert_eq!(status == StatusCode::OK, is_admin, "{embedded} {named}: {status}");
    }
}

#[tokio::test]
async fn only_admins_of_the_instance_create_organizations_where_the_setting_says_so() {
    let mut settings = settings();
    settings.administration.create_organizations = Creators::Admins;
    let w = World::of(TestApp::with(settings)).await;
    let body = |slug: &str| json!({"slug": slug, "name": "Mine"});
    let refused = post(&w.router, "/orgs", &w.cleo, body("mine")).await;
    assert_eq!((refused.status, refused.problem()), (StatusCode::FORBIDDEN, "forbidden"));
    assert_eq!(get(&w.router, "/me", &w.cleo).await.json["canCreateOrganizations"], false);
    assert_eq!(post(&w.router, "/orgs", &w.admin, body("mine")).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_session_without_the_header_of_a_page_administers_nothing() {
    let t = roomy();
    let router = router(&t);
    let ada = t.account(ADA).await;
    let session = t.session(ada.id).await;
    let path = format!("/api/v1/admin/accounts/{}/disable", ada.id);
    let request = http::Request::post(path)
        .header(http::header::HOST, "localhost")
        .header(http::header::COOKIE, format!("svc.at={session}"))
        .body(axum::body::Body::empty());
    let refused = svc_testkit::send(&router, request.expect("a request")).await;
    assert_eq!((refused.status, refused.problem()), (StatusCode::FORBIDDEN, "missing-request-header"));
    assert_eq!(delete(&router, "/me/sessions", &session).await.status, StatusCode::NO_CONTENT);
}

//! Signing in with an identity provider: who gets in as whom, and what of its answers is believed.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use futures::future::join_all;
use http::{Method, Request, StatusCode, header};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_app::SignIn;
use svc_boot::{OidcProvider, OidcSettings};
use svc_domain::identity::{OrgRole, Scope};
use svc_storage::{Op, keys};
use svc_testkit::{PASSWORD, Reply, TestApp, call, scopes, send};
use tokio::net::TcpListener;

use crate::post::{secret_in, with_mailbox, work};
use crate::provider::{Provider, Signs, parameter};
use crate::{accept, delete, get, invite, login_body, post, roomy_settings, router};

const HERE: &str = "http://localhost:8080";

pub(crate) struct World {
    pub(crate) t: TestApp,
    pub(crate) router: Router,
    pub(crate) provider: Arc<Provider>,
}

fn sign_in(settings: &OidcSettings) -> SignIn {
    let provider =
        OidcProvider::of(settings, HERE).expect("these are settings").expect("there is a provider");
    SignIn {
        provider: Arc::new(provider),
        creates_accounts: settings.create_accounts,
        group_organizations: settings.group_organizations().expect("these are slugs"),
    }
}

pub(crate) fn at_home() -> TestApp {
    let mut settings = roomy_settings();
    settings.service.base_url = HERE.into();
    TestApp::with(settings)
}

/// A world that has been set up, with these settings.
pub(crate) async fn world_of(t: TestApp, change: impl FnOnce(&mut OidcSettings)) -> World {
    let provider = Provider::start(t.clock.clone()).await;
    let mut settings = provider.settings();
    change(&mut settings);
    let t = t.with_sign_in(sign_in(&settings));
    svc_testkit::write(&t.app, vec![Op::create(keys::setup(), &t.now())]).await.expect("it is fresh");
    World { router: router(&t), t, provider }
}

/// Everybody whom the provider knows may come in.
pub(crate) async fn open_world() -> World {
    world_of(at_home(), |settings| settings.create_accounts = true).await
}

/// Who has an account or an invitation may.
async fn world() -> World {
    world_of(at_home(), |_| {}).await
}

async fn browse(router: &Router, path: &str, cookies: &[&str]) -> Reply {
    let request = Request::get(format!("/api/v1{path}"))
        .header(header::HOST, "localhost")
        .header(header::COOKIE, cookies.join("; "));
    send(router, request.body(Body::empty()).expect("a request")).await
}

async fn start(router: &Router, session: Option<&str>, body: Value) -> Reply {
    let mut request = Request::post("/api/v1/auth/oidc/start")
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json");
    if let Some(session) = session {
        request = request.header(header::COOKIE, format!("svc.at={session}")).header("x-svc-request", "1");
    }
    send(router, request.body(Body::from(body.to_string())).expect("a request")).await
}

/// Value of a cookie that a reply sets.
fn set(reply: &Reply, name: &str) -> Option<String> {
    let cookies = reply.headers.get_all(header::SET_COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .filter_map(|cookie| cookie.split(';').next()?.split_once('='))
        .find_map(|(key, value)| (key == name && !value.is_empty()).then(|| value.to_owned()))
}

/// The secret of the session that a reply opens.
pub(crate) fn cookie_of(reply: &Reply) -> String {
    set(reply, "svc.at").expect("a session")
}

pub(crate) fn session(reply: &Reply) -> String {
    assert_eq!(reply.status, StatusCode::SEE_OTHER, "{}", reply.text);
    set(reply, "svc.at").expect("a session")
}

/// A sign-in that waits for the browser to come back.
struct Waiting {
    cookie: String,
    /// Where the provider sends the browser.
    back: String,
}

impl World {
    async fn begin(&self, session: Option<&str>, body: Value) -> Waiting {
        let begun = start(&self.router, session, body).await;
        assert_eq!(begun.status, StatusCode::OK, "{}", begun.text);
        let cookie = format!("svc.oidc={}", set(&begun, "svc.oidc").expect("an attempt"));
        Waiting { cookie, back: self.provider.authorize(begun.json["address"].as_str().expect("an address")) }
    }

    async fn arrive(&self, waiting: &Waiting) -> Reply {
        browse(&self.router, &waiting.back, &[&waiting.cookie]).await
    }

    pub(crate) async fn sign_in_with(&self, body: Value) -> Reply {
        let waiting = self.begin(None, body).await;
        self.arrive(&waiting).await
    }

    pub(crate) async fn sign_in(&self) -> Reply {
        self.sign_in_with(json!({})).await
    }

    async fn connect(&self, session: &str) -> Reply {
        let waiting = self.begin(Some(session), json!({"connect": true, "currentPassword": PASSWORD})).await;
        browse(&self.router, &waiting.back, &[&waiting.cookie, &format!("svc.at={session}")]).await
    }

    pub(crate) fn say(&self, name: &str, value: Value) {
        self.provider.says.lock().claims[name] = value;
    }

    pub(crate) async fn me(&self, session: &str) -> Value {
        get(&self.router, "/me", session).await.json
    }

    async fn owner(&self) -> String {
        let org = self.t.org("demo").await;
        let owner = self.t.user(&org, "owner@example.com", OrgRole::Owner, false).await;
        self.t.token(owner, scopes(), None).await
    }

    /// The secret of the link of an invitation.
    async fn invite(&self, owner: &str, email: &str) -> String {
        let invited = invite(&self.router, owner, email).await;
        secret_in(invited.json["link"].as_str().expect("a link"))
    }
}

fn refused(reply: &Reply) -> (u16, String) {
    assert!(set(reply, "svc.at").is_none(), "no session");
    assert_eq!(reply.header("content-type"), "application/problem+json");
    (reply.status.as_u16(), reply.json["detail"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn who_signs_in_for_the_first_time_gets_an_account_and_the_same_one_again() {
    let w = open_world().await;
    let setup = call(&w.router, Method::GET, "/auth/setup", None, None).await;
    assert_eq!(setup.json["provider"], "Single sign-on");
    let first = w.sign_in_with(json!({"returnTo": "/orgs/demo?tab=2"})).await;
    assert_eq!(first.header("location"), "/orgs/demo?tab=2");
    let me = w.me(&session(&first)).await;
    assert_eq!((&me["email"], &me["displayName"]), (&json!("ada@example.com"), &json!("Ada Lovelace")));
    assert_eq!((&me["connected"], &me["organizations"]), (&json!(true), &json!([])));
    // The subject is the person, whatever becomes of the address.
    w.say("email", json!("lovelace@example.com"));
    w.provider.says.lock().signs = Signs::Es256;
    let again = w.sign_in().await;
    assert_eq!(again.header("location"), "/");
    let again = w.me(&session(&again)).await;
    assert_eq!((&again["id"], &again["email"]), (&me["id"], &json!("ada@example.com")));
    let body = Some(login_body("ada@example.com", ""));
    let password = call(&w.router, Method::POST, "/auth/login", None, body).await;
    assert_eq!(password.problem(), "wrong-password", "an account without a password has none");
}

#[tokio::test]
async fn the_cookies_of_a_sign_in_are_for_browsers_alone() {
    let w = open_world().await;
    let begun = start(&w.router, None, json!({})).await;
    let cookie = begun.header("set-cookie").to_owned();
    let (_, attributes) = cookie.split_once("; ").expect("attributes");
    assert_eq!(attributes, "Path=/api/v1/auth/oidc; Max-Age=600; HttpOnly; SameSite=Lax");
    let reply = w.sign_in().await;
    let cookies: Vec<_> = reply.headers.get_all("set-cookie").iter().map(|c| c.to_str().unwrap()).collect();
    assert!(cookies[0].starts_with("svc.at=svs_"), "{cookies:?}");
    assert!(cookies[1].starts_with("svc.oidc=; Path=/api/v1/auth/oidc; Max-Age=0;"), "{cookies:?}");
}

#[tokio::test]
async fn nothing_of_an_attempt_is_stored_that_would_finish_it() {
    let w = open_world().await;
    let begun = start(&w.router, None, json!({"returnTo": "/a-path-to-find"})).await;
    let address = begun.json["address"].as_str().unwrap();
    let mut secrets = vec![set(&begun, "svc.oidc").unwrap()];
    secrets.extend(["state", "nonce", "code_challenge"].iter().map(|name| parameter(address, name).unwrap()));
    let mut stored = Vec::new();
    for entry in std::fs::read_dir(w.t.directory()).unwrap() {
        let path = entry.unwrap().path();
        stored.extend(if path.is_file() { std::fs::read(path).unwrap() } else { Vec::new() });
    }
    let holds = |text: &str| stored.windows(text.len()).any(|bytes| bytes == text.as_bytes());
    assert!(holds("/a-path-to-find"), "the store is where the test looks");
    assert!(!secrets.iter().any(|secret| holds(secret)));
}

#[tokio::test]
async fn nobody_is_sent_to_another_site() {
    let w = open_world().await;
    for path in ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:1", "", "/a#svi_x"]
    {
        let begun = start(&w.router, None, json!({ "returnTo": path })).await;
        assert_eq!(begun.status, StatusCode::UNPROCESSABLE_ENTITY, "{path:?}");
        assert!(begun.json["errors"]["returnTo"].is_array(), "{}", begun.text);
    }
}

#[tokio::test]
async fn an_account_of_a_verified_address_is_connected_and_an_unverified_one_only_by_its_owner() {
    let w = world().await;
    let ada = w.t.account("ada@example.com").await;
    assert_eq!(w.me(&session(&w.sign_in().await)).await["id"], ada.id.to_string());

    let owner = w.owner().await;
    // Without mail, who invites has the link: nobody has proven that Bob's address is Bob's.
    let invited = json!({ "email": "bob@example.com", "role": "guest" });
    let invited = post(&w.router, "/orgs/demo/members", &owner, invited).await;
    let secret = crate::post::secret_in(invited.json["invitation"]["link"].as_str().unwrap());
    let body = json!({ "secret": secret, "displayName": "Bob", "password": PASSWORD });
    let joined = accept(&w.router, None, body).await;
    assert_eq!(joined.status, StatusCode::OK, "{}", joined.text);
    w.say("sub", json!("bob-1"));
    w.say("email", json!("bob@example.com"));
    insta::assert_snapshot!(w.sign_in().await.snapshot());
    let login =
        call(&w.router, Method::POST, "/auth/login", None, Some(login_body("bob@example.com", PASSWORD)));
    let bobs = set(&login.await, "svc.at").unwrap();
    let connected = w.connect(&bobs).await;
    assert_eq!((connected.status, set(&connected, "svc.at")), (StatusCode::SEE_OTHER, None));
    let later = w.me(&session(&w.sign_in().await)).await;
    assert_eq!((&later["displayName"], &later["connected"]), (&json!("Bob"), &json!(true)));
}

#[tokio::test]
async fn connecting_needs_the_session_and_the_password_to_the_end() {
    let w = world().await;
    let ada = w.t.account("ada@example.com").await;
    let eve = w.t.account("eve@example.com").await;
    let (adas, eves) = (w.t.session(ada.id).await, w.t.session(eve.id).await);
    let body = json!({"connect": true, "currentPassword": "a guess, and wrong"});
    let guessed = start(&w.router, Some(&adas), body).await;
    assert!(guessed.json["errors"]["currentPassword"].is_array(), "{}", guessed.text);
    let body = json!({"connect": true, "currentPassword": PASSWORD});
    assert_eq!(start(&w.router, None, body.clone()).await.problem(), "unauthenticated");
    let token = w.t.token(ada.id, scopes(), None).await;
    assert_eq!(post(&w.router, "/auth/oidc/start", &token, body.clone()).await.problem(), "forbidden");

    // Begun by Ada and finished in another's browser, or after she signed out: nothing is connected.
    let waiting = w.begin(Some(&adas), body.clone()).await;
    let cookies = [waiting.cookie.as_str(), &format!("svc.at={eves}")];
    assert_eq!(refused(&browse(&w.router, &waiting.back, &cookies).await).0, 409);
    let waiting = w.begin(Some(&adas), body).await;
    assert_eq!(delete(&w.router, "/me/sessions", &adas).await.status, StatusCode::NO_CONTENT);
    let cookies = [waiting.cookie.as_str(), &format!("svc.at={adas}")];
    assert_eq!(refused(&browse(&w.router, &waiting.back, &cookies).await).0, 409);
    for person in [ada.id, eve.id] {
        assert!(w.me(&w.t.session(person).await).await.get("connected").is_none());
    }
}

#[tokio::test]
async fn an_account_has_one_connection_and_a_person_of_the_provider_one_account() {
    let w = world().await;
    w.t.account("ada@example.com").await;
    session(&w.sign_in().await);
    let mut said = String::new();
    let mut note = |what: &str, reply: &Reply| {
        let (status, why) = refused(reply);
        said += &format!("{what}: {status} {why}\n");
    };
    let eve = w.t.account("eve@example.com").await;
    note("connecting who has an account", &w.connect(&w.t.session(eve.id).await).await);
    // The provider gives Ada's address to somebody else.
    w.say("sub", json!("ada-2"));
    note("another of the same address", &w.sign_in().await);
    insta::assert_snapshot!(said);
}

#[tokio::test]
async fn a_connection_ends_by_its_owner_and_by_a_new_password_that_came_by_mail() {
    let (t, mailbox) = with_mailbox(at_home());
    let w = world_of(t, |settings| settings.create_accounts = true).await;
    let newcomer = session(&w.sign_in().await);
    let locked_out = delete(&w.router, "/auth/oidc/connection", &newcomer).await;
    assert_eq!((locked_out.status, locked_out.problem()), (StatusCode::CONFLICT, "conflict"));
    let body = json!({"newPassword": PASSWORD});
    assert_eq!(post(&w.router, "/auth/password", &newcomer, body).await.status, StatusCode::NO_CONTENT);
    for _ in 0..2 {
        let away = delete(&w.router, "/auth/oidc/connection", &newcomer).await;
        assert_eq!(away.status, StatusCode::NO_CONTENT, "{}", away.text);
    }
    assert!(w.me(&newcomer).await.get("connected").is_none());

    // Somebody who got in for a while connects themselves; the owner chooses a new password by mail.
    w.say("sub", json!("eve-1"));
    w.say("email", json!("eve@example.com"));
    assert_eq!(w.connect(&newcomer).await.status, StatusCode::SEE_OTHER);
    call(&w.router, Method::POST, "/auth/password/forgot", None, Some(json!({"email": "ada@example.com"})))
        .await;
    assert_eq!(work(&w.t).await, 0);
    let secret = secret_in(&mailbox.take()[0].email.text);
    let body = json!({"secret": secret, "newPassword": "another long one"});
    let reset = call(&w.router, Method::POST, "/auth/password/reset", None, Some(body)).await;
    assert_eq!(reset.status, StatusCode::NO_CONTENT, "{}", reset.text);
    let eves = w.me(&session(&w.sign_in().await)).await;
    assert_eq!(eves["email"], "eve@example.com", "the way in is gone");
}

#[tokio::test]
async fn who_is_invited_gets_an_account_and_joins_on_the_way() {
    let w = world().await;
    let owner = w.owner().await;
    let (status, why) = refused(&w.sign_in().await);
    assert_eq!((status, why.as_str()), (403, "You have no account here; ask for an invitation."));
    let secret = w.invite(&owner, "Ada@example.com").await;
    let joined = session(&w.sign_in_with(json!({"invitation": secret, "returnTo": "/orgs/demo"})).await);
    assert_eq!(w.me(&joined).await["organizations"][0]["slug"], "demo");
    let twice = start(&w.router, None, json!({"invitation": secret})).await;
    assert_eq!((twice.status, twice.problem()), (StatusCode::CONFLICT, "conflict"));

    // Who has an account joins with it, and nobody with another's invitation.
    w.t.account("bob@example.com").await;
    let bobs = w.invite(&owner, "bob@example.com").await;
    let adas = w.sign_in_with(json!({"invitation": bobs})).await;
    assert_eq!(refused(&adas).0, 403, "{}", adas.text);
    w.say("sub", json!("carol-1"));
    w.say("email", json!("carol@example.com"));
    assert_eq!(refused(&w.sign_in_with(json!({"invitation": bobs})).await).0, 403);
    assert_eq!(refused(&w.sign_in().await).0, 403, "no account was made for Carol");
    w.say("sub", json!("bob-1"));
    w.say("email", json!("bob@example.com"));
    let bob = session(&w.sign_in_with(json!({"invitation": bobs})).await);
    assert_eq!(w.me(&bob).await["organizations"][0]["slug"], "demo");
}

#[tokio::test]
async fn tokens_that_are_not_to_be_believed_open_nothing() {
    let w = open_world().await;
    let now = w.t.now().as_second();
    let honest = w.provider.says.lock().clone();
    for (lie, claim, value) in [
        ("another issuer", "iss", json!("https://evil.example.com")),
        ("another audience", "aud", json!("other")),
        ("more audiences", "aud", json!(["svc", "other"])),
        ("no audience", "aud", Value::Null),
        ("another nonce", "nonce", json!("other")),
        ("no nonce", "nonce", Value::Null),
        ("expired", "exp", json!(now - 61)),
        ("no end", "exp", Value::Null),
        ("from the future", "iat", json!(now + 61)),
        ("not valid yet", "nbf", json!(now + 61)),
        ("for another party", "azp", json!("other")),
        ("no issuer", "iss", Value::Null),
        ("no time of issue", "iat", Value::Null),
    ] {
        w.say(claim, value);
        let reply = w.sign_in().await;
        let (status, why) = refused(&reply);
        assert_eq!((status, why.contains("cannot be trusted")), (403, true), "{lie}: {}", reply.text);
        *w.provider.says.lock() = honest.clone();
    }
    for signs in [Signs::AnotherKey, Signs::PublicKeyAsSecret, Signs::Nothing] {
        w.provider.says.lock().signs = signs;
        assert_eq!(refused(&w.sign_in().await).0, 403, "{signs:?}");
    }
    w.provider.says.lock().signs = Signs::Rs256;
    w.provider.change_keys();
    session(&w.sign_in().await);
}

#[tokio::test]
async fn clocks_may_differ_by_a_minute() {
    let w = open_world().await;
    let now = w.t.now().as_second();
    for (issued, end) in [(now + 60, now + 360), (now - 360, now - 59)] {
        w.say("iat", json!(issued));
        w.say("exp", json!(end));
        session(&w.sign_in().await);
    }
}

#[tokio::test]
async fn an_address_counts_only_when_the_provider_has_verified_it() {
    let w = open_world().await;
    for verified in [json!(false), Value::Null] {
        w.say("email_verified", verified);
        let (status, why) = refused(&w.sign_in().await);
        assert_eq!((status, why.as_str()), (403, "The identity provider has not verified your address."));
    }
    // Some providers say it elsewhere; it must be of the same person.
    w.say("email", Value::Null);
    let more = json!({"sub": "eve-1", "email": "ada@example.com", "email_verified": true, "name": "Ada"});
    w.provider.says.lock().more = more;
    assert_eq!(refused(&w.sign_in().await).0, 403);
    w.provider.says.lock().more["sub"] = json!("ada-1");
    assert_eq!(w.me(&session(&w.sign_in().await)).await["email"], "ada@example.com");
}

#[tokio::test]
async fn an_attempt_counts_once_for_its_browser_and_its_time() {
    let w = open_world().await;
    let waiting = w.begin(None, json!({})).await;
    assert_eq!(refused(&browse(&w.router, &waiting.back, &[]).await).0, 409, "without the cookie");
    let other = w.begin(None, json!({})).await;
    assert_eq!(refused(&browse(&w.router, &waiting.back, &[&other.cookie]).await).0, 409, "another's cookie");
    let (path, _) = waiting.back.split_once('?').unwrap();
    for query in ["", "?code=code-0", "?state=&code=code-0", "?state=x&code=code-0"] {
        assert_eq!(refused(&browse(&w.router, &format!("{path}{query}"), &[&waiting.cookie]).await).0, 409);
    }
    session(&w.arrive(&waiting).await);
    assert_eq!(refused(&w.arrive(&waiting).await).0, 409, "twice");

    let late = w.begin(None, json!({})).await;
    w.t.advance(SignedDuration::from_mins(10));
    assert_eq!(refused(&w.arrive(&late).await).0, 409, "late");

    let answered = |waiting: &Waiting, answer: &str| {
        let state = parameter(&waiting.back, "state").unwrap();
        (format!("/auth/oidc/callback?{answer}&state={state}"), waiting.cookie.clone())
    };
    for answer in ["error=access_denied", "code=made-up"] {
        let (path, cookie) = answered(&w.begin(None, json!({})).await, answer);
        assert_eq!(refused(&browse(&w.router, &path, &[&cookie]).await).0, 403, "{answer}");
    }
}

#[tokio::test]
async fn a_person_who_is_refused_comes_to_a_page() {
    let w = open_world().await;
    let request = Request::get("/api/v1/auth/oidc/callback?code=a&state=b")
        .header(header::HOST, "localhost")
        .header(header::ACCEPT, "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");
    let reply = send(&w.router, request.body(Body::empty()).expect("a request")).await;
    assert_eq!(reply.status, StatusCode::SEE_OTHER, "{}", reply.text);
    assert_eq!(reply.headers[header::LOCATION], "/sign-in?problem=conflict");
    let told = set(&reply, "svc.told").expect("a cookie");
    assert!(told.contains("detail=This+") || told.contains("detail=this+"), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_come_back_at_once_one_is_signed_in() {
    let w = open_world().await;
    let elsewhere = router(&w.t.beside());
    let waiting = w.begin(None, json!({})).await;
    let cookie = [waiting.cookie.as_str()];
    // The other process has no provider; it shares the store that attempts are taken from.
    assert_eq!(refused(&browse(&elsewhere, &waiting.back, &cookie).await).0, 409);
    let replies = join_all((0..6).map(|_| browse(&w.router, &waiting.back, &cookie))).await;
    let opened = replies.iter().filter(|reply| set(reply, "svc.at").is_some()).count();
    let stale = replies.iter().filter(|reply| reply.status == StatusCode::CONFLICT).count();
    assert_eq!((opened, stale), (1, 5));
    // Two attempts of one newcomer at once make one account.
    w.say("sub", json!("bob-1"));
    w.say("email", json!("bob@example.com"));
    let replies = join_all((0..4).map(|_| w.sign_in())).await;
    let mut ids = Vec::new();
    for reply in &replies {
        ids.push(w.me(&session(reply)).await["id"].clone());
    }
    ids.dedup();
    assert_eq!(ids.len(), 1);
}

#[tokio::test]
async fn an_instance_that_waits_for_its_first_account_gets_none_from_a_provider() {
    let t = at_home();
    let provider = Provider::start(t.clock.clone()).await;
    let t = t.with_sign_in(sign_in(&OidcSettings { create_accounts: true, ..provider.settings() }));
    let w = World { router: router(&t), t, provider };
    assert_eq!(refused(&w.sign_in().await).0, 403);
    assert_eq!(call(&w.router, Method::GET, "/auth/setup", None, None).await.json["needed"], true);
}

#[tokio::test]
async fn without_a_provider_there_is_nothing_and_one_that_is_away_or_slow_is_said_to_be() {
    let t = at_home();
    let router_without = router(&t);
    let none = start(&router_without, None, json!({})).await;
    assert_eq!((none.status, none.problem()), (StatusCode::CONFLICT, "conflict"));
    assert_eq!(refused(&browse(&router_without, "/auth/oidc/callback?state=a&code=b", &[]).await).0, 409);
    let setup = call(&router_without, Method::GET, "/auth/setup", None, None).await;
    assert!(setup.json.get("provider").is_none());

    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    // Takes connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    for address in [closed, silent.local_addr().unwrap()] {
        let settings = OidcSettings {
            issuer: format!("http://{address}"),
            client_id: "svc".into(),
            timeout_seconds: 1,
            ..OidcSettings::default()
        };
        let t = at_home().with_sign_in(sign_in(&settings));
        let away = start(&router(&t), None, json!({})).await;
        assert_eq!((away.status, away.problem()), (StatusCode::SERVICE_UNAVAILABLE, "unavailable"));
        assert!(away.json["detail"].as_str().unwrap().contains("identity provider"), "{}", away.text);
    }
}

#[tokio::test]
async fn a_provider_that_describes_itself_wrongly_is_not_used() {
    let w = open_world().await;
    for wrong in [
        json!({"issuer": "https://evil.example.com"}),
        json!({"authorization_endpoint": "http://evil.example.com/authorize"}),
        json!({"authorization_endpoint": "javascript:alert(1)"}),
        json!({"jwks_uri": "http://evil.example.com/keys"}),
        json!({"jwks_uri": Value::Null}),
    ] {
        w.provider.says.lock().of_itself = wrong.clone();
        let begun = start(&w.router, None, json!({})).await;
        assert_eq!(begun.status, StatusCode::SERVICE_UNAVAILABLE, "{wrong}: {}", begun.text);
    }
    w.provider.says.lock().of_itself = json!({});
    // The token endpoint is used on the way back, over the network as it is then.
    let waiting = w.begin(None, json!({})).await;
    w.provider.says.lock().of_itself = json!({"token_endpoint": "http://evil.example.com/token"});
    assert_eq!(refused(&w.arrive(&waiting).await).0, 503);
}

#[tokio::test]
async fn sign_ins_are_counted_against_their_budget_and_tokens_start_none() {
    let t = TestApp::new();
    let router = router(&t);
    for n in 0..12 {
        let reply = browse(&router, "/auth/oidc/callback", &[]).await;
        let expected = if n < 10 { StatusCode::CONFLICT } else { StatusCode::TOO_MANY_REQUESTS };
        assert_eq!(reply.status, expected, "{n}");
    }
    let w = world().await;
    let ada = w.t.account("ada@example.com").await;
    let reader = w.t.token(ada.id, &[Scope::Read, Scope::Write], None).await;
    assert_eq!(delete(&w.router, "/auth/oidc/connection", &reader).await.problem(), "missing-scope");
}

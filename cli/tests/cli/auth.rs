//! `svc auth`: what is verified, what is stored, and how it is protected.

use std::os::unix::fs::PermissionsExt as _;

use axum::http::StatusCode;
use serde_json::json;
use svc_api::identity::{
    AcceptedInvitation, CreatedToken, InvitationPreset, Me, ReceivedInvitation, Scope, Token,
};
use svc_api::wiki::WikiPage;

use crate::fixtures::{at, me, org, problem, token};
use crate::stub::Stub;
use crate::wiki::page;

fn mode(path: &std::path::Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn login_stores_a_token_that_works_where_only_its_owner_reads_it() {
    let stub = Stub::new();
    stub.on("GET /me", &me());
    let ran = stub.bare(&["auth", "login", "--url", &stub.url]).stdin("s3cret\n").run().exits(0);
    insta::assert_snapshot!("login", ran);
    assert_eq!(stub.seen()[0].token.as_deref(), Some("s3cret"));
    let stored = json!({
        "url": stub.url, "token": "s3cret", "account": "ada@example.org", "accountId": "user-ada",
    });
    assert_eq!(stub.config(), stored);
    assert_eq!(mode(&stub.config_path()), 0o600);
    assert_eq!(mode(stub.config_path().parent().unwrap()), 0o700);
}

/// A new token made a stranger of who had read a page: "you have not read it on this machine".
#[test]
fn who_signs_in_again_has_still_read_what_they_read() {
    let stub = Stub::new();
    let page = WikiPage { path: "Guide".into(), ..page(3) };
    let call = "GET /orgs/demo/projects/PRJ/wiki/pages/Guide";
    stub.on("GET /me", &me()).on(call, &page).on(&call.replace("GET", "PUT"), &page);
    stub.on("GET /me/tokens", &json!([]));
    let sign_in = |token: &str| {
        stub.bare(&["auth", "login", "--url", &stub.url, "--org", "demo"]).stdin(token).run().exits(0);
    };
    sign_in("first");
    assert_eq!(stub.bare(&["wiki", "get", "PRJ", "Guide"]).run().code, 0);
    let put = ["wiki", "put", "PRJ", "Guide", "-m", "New"];
    let run = stub.bare(&put).env("SVC_TOKEN", "of a run").run();
    assert!(
        run.code == 3 && run.stderr.contains("you have not read it"),
        "an agent's reading is its own: {run}"
    );
    let texts = || std::fs::read_dir(stub.home.path().join(".local/state/svc/texts")).unwrap().count();
    assert_eq!(texts(), 1);
    assert_eq!(stub.bare(&["auth", "logout", "--local"]).run().code, 0);
    assert_eq!(texts(), 0, "who signs out leaves no text behind");
    sign_in("second");
    stub.bare(&put).run().exits(0);
    stub.now("GET /me", &Me { id: "user-ben".into(), email: Some("ben@example.org".into()), ..me() });
    sign_in("third");
    let other = stub.bare(&put).run();
    assert!(other.code == 3 && other.stderr.contains("you have not read it"), "{other}");
}

#[test]
fn login_tightens_a_file_that_others_could_read_and_keeps_what_it_does_not_know() {
    let stub = Stub::new();
    stub.on("GET /me", &me());
    stub.write_config(
        &json!({ "url": "https://elsewhere.example", "token": "old", "org": "their-org", "color": 1 }),
    );
    let path = stub.config_path();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    std::fs::set_permissions(path.parent().unwrap(), std::fs::Permissions::from_mode(0o755)).unwrap();
    stub.bare(&["auth", "login", "--url", &stub.url]).stdin("s3cret").run().exits(0);
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    let expected = json!({
        "url": stub.url, "token": "s3cret", "account": "ada@example.org", "accountId": "user-ada",
        "color": 1,
        "accounts": [{ "url": "https://elsewhere.example", "token": "old", "org": "their-org" }],
    });
    assert_eq!(stub.config(), expected, "the other instance's account is kept, with its organization");
}

#[test]
fn login_stores_the_organization_that_is_named_and_visible() {
    let stub = Stub::new();
    stub.on("GET /me", &me());
    stub.bare(&["auth", "login", "--url", &stub.url, "--org", "demo"]).stdin("s3cret").run().exits(0);
    assert_eq!(stub.config()["org"], "demo");

    let ran = stub.bare(&["auth", "login", "--org", "nobody"]).stdin("s3cret").run().exits(4);
    insta::assert_snapshot!("login_foreign_org", ran);
    assert_eq!(stub.config()["org"], "demo");
}

#[test]
fn login_stores_nothing_when_the_token_is_refused() {
    let stub = Stub::new();
    stub.refuse("GET /me", &problem(401, "unauthenticated", "Sign in, or send a valid token.", None));
    let ran = stub.bare(&["auth", "login", "--url", &stub.url]).stdin("s3cret").run().exits(5);
    assert!(!stub.config_path().exists());
    assert!(!ran.stderr.contains("s3cret"), "{ran}");
}

#[test]
fn an_instance_without_accounts_says_how_the_first_is_created() {
    let stub = Stub::new();
    let wrong = problem(401, "wrong-password", "The address or the password is wrong.", None);
    stub.refuse("POST /auth/login", &wrong);
    stub.on("GET /auth/setup", &json!({ "needed": true }));
    let login = ["auth", "login", "--url", &stub.url, "--email", "ada@example.org"];
    let empty = stub.bare(&login).stdin("correct horse battery").run().exits(5);
    assert!(empty.stderr.contains("has no account yet"), "{empty}");
    assert!(empty.stderr.contains("svc auth setup --url http://INSTANCE --email"), "{empty}");
    stub.now("GET /auth/setup", &json!({ "needed": false }));
    let wrong = stub.bare(&login).stdin("correct horse battery").run();
    assert!(wrong.stderr.contains("password is wrong"), "{wrong}");
}

#[test]
fn login_refuses_what_is_no_access_token() {
    let stub = Stub::new();
    for (input, said) in
        [("jrn_abc", "runner secret"), ("\n", "no token was given"), ("two words", "too long for a token")]
    {
        let ran = stub.bare(&["auth", "login", "--url", &stub.url]).stdin(input).run().exits(2);
        assert!(ran.stderr.contains(said), "{ran}");
    }
    assert!(stub.seen().is_empty(), "nothing was sent");
}

#[test]
fn login_and_logout_tell_that_a_variable_wins() {
    let stub = Stub::new();
    stub.on("GET /me", &me()).on("GET /me/tokens", &[own_token(true)]).on("DELETE /me/tokens/token-1", &());
    for verb in ["login", "logout"] {
        let ran = stub
            .bare(&["auth", verb, "--url", &stub.url])
            .env("SVC_TOKEN", "other")
            .stdin("s3cret")
            .run()
            .exits(0);
        assert!(ran.stderr.contains("SVC_TOKEN is"), "{ran}");
    }
    assert_eq!(stub.seen()[0].token.as_deref(), Some("s3cret"), "the one that was to be stored was verified");
}

#[test]
fn login_needs_an_address() {
    let ran = Stub::new().bare(&["auth", "login"]).stdin("s3cret").run().exits(2);
    assert!(ran.stderr.contains("--url"), "{ran}");
}

#[test]
fn status_tells_who_where_and_what() {
    let stub = Stub::new();
    stub.on("GET /me", &me());
    insta::assert_snapshot!("status", stub.svc(&["auth", "status"]).run());
    insta::assert_snapshot!("status_json", stub.svc(&["auth", "status", "--json"]).run());
}

#[test]
fn status_without_a_token_says_how_to_get_one() {
    let stub = Stub::new();
    insta::assert_snapshot!("status_signed_out", stub.bare(&["auth", "status", "--url", &stub.url]).run());
}

/// The token of a sign-in on this machine.
fn own_token(current: bool) -> Token {
    let name = format!("svc on {}", rustix::system::uname().nodename().to_string_lossy());
    Token { current, ..token("token-1", &name) }
}

#[test]
fn logout_revokes_the_token_and_removes_it_and_nothing_else() {
    let stub = Stub::new();
    stub.write_config(&json!({ "url": stub.url, "token": "s3cret", "org": "demo" }));
    let other = Token { current: false, ..token("token-2", "other") };
    stub.on("GET /me/tokens", &[other, own_token(true)]).on("DELETE /me/tokens/token-1", &());
    stub.bare(&["auth", "logout"]).run().exits(0);
    assert_eq!(stub.calls(), ["GET /me/tokens", "DELETE /me/tokens/token-1"]);
    assert_eq!(stub.config(), json!({ "url": stub.url, "org": "demo" }));
    assert_eq!(stub.bare(&["auth", "logout"]).run().code, 0, "a second time does no harm");
    assert_eq!(stub.bare(&["project", "list"]).run().code, 5);
}

#[test]
fn a_token_that_cannot_be_revoked_is_kept_unless_that_is_asked_for() {
    let stub = Stub::new();
    stub.write_config(&json!({ "url": stub.url, "token": "s3cret" }));
    stub.refuse("GET /me/tokens", &problem(500, "internal", "Something went wrong.", None));
    let ran = stub.bare(&["auth", "logout"]).run();
    assert_eq!((ran.code, stub.config()["token"].as_str()), (1, Some("s3cret")), "{ran}");
    assert!(ran.stderr.contains("--local"), "{ran}");
    let asked = stub.seen().len();
    assert_eq!(stub.bare(&["auth", "logout", "--local"]).run().code, 0);
    assert_eq!((stub.seen().len(), stub.config().get("token")), (asked, None));
    let dead = Stub::new();
    dead.write_config(&json!({ "url": dead.url, "token": "s3cret" }));
    dead.refuse("GET /me/tokens", &problem(401, "unauthenticated", "Sign in.", None));
    assert_eq!(dead.bare(&["auth", "logout"]).run().code, 0, "what works no more needs no revoking");
}

#[test]
fn a_stored_token_is_never_sent_to_another_instance() {
    let (stub, evil) = (Stub::new(), Stub::new());
    stub.write_config(&json!({ "url": stub.url, "token": "s3cret", "org": "demo" }));
    for ran in [
        stub.bare(&["item", "view", "PRJ-1", "--url", &evil.url]).run(),
        stub.bare(&["item", "view", "PRJ-1"]).env("SVC_URL", &evil.url).run(),
        stub.bare(&["auth", "status", "--url", &evil.url]).run(),
        stub.bare(&["auth", "logout", "--url", &evil.url]).env("SVC_ORG", "x").run(),
    ] {
        assert!(ran.code == 5 || ran.stderr.contains("not signed in"), "{ran}");
    }
    assert!(evil.seen().is_empty() && stub.seen().is_empty());
    let refused = stub.bare(&["item", "view", "PRJ-1", "--url", &evil.url]).run();
    assert!(refused.stderr.contains("there are stored tokens only for other instances"), "{refused}");
}

#[test]
fn several_instances_and_accounts_live_side_by_side() {
    let (here, there) = (Stub::new(), Stub::new());
    let ben = Me { email: Some("ben@example.org".into()), display_name: "Ben".into(), ..me() };
    here.on("GET /me", &me()).on("GET /orgs", &me().organizations).on("GET /orgs/demo", &org("demo", "Demo"));
    there.on("GET /me", &me()).on("GET /orgs", &me().organizations);
    let login = |stub: &Stub, token: &str| {
        here.bare(&["auth", "login", "--url", &stub.url]).stdin(token).run().exits(0);
    };
    login(&here, "ada-here");
    login(&there, "ada-there");
    here.now("GET /me", &ben);
    login(&here, "ben-here");
    let listed = here.bare(&["auth", "list", "--json"]).run();
    assert!(!listed.stdout.contains("ada-here"), "never the tokens: {listed}");
    let names: Vec<_> = listed.json().as_array().unwrap().iter().map(|one| one["account"].clone()).collect();
    assert_eq!(names, ["ben@example.org", "ada@example.org", "ada@example.org"], "the last used first");

    let used = |args: &[&str], stub: &Stub| {
        here.bare(&[&["org", "list"], args].concat()).run().exits(0);
        stub.seen().pop().unwrap().token.unwrap()
    };
    assert_eq!(used(&[], &here), "ben-here");
    assert_eq!(used(&["--url", &there.url], &there), "ada-there");
    let several = here.bare(&["auth", "switch", "ada@example.org"]).run();
    assert_eq!(several.code, 2, "two are called so: {several}");
    assert_eq!(here.bare(&["auth", "switch", "ada@example.org", "--url", &here.url]).run().code, 0);
    assert_eq!(used(&[], &here), "ada-here");
    let chosen = here.bare(&["org", "use", "demo"]).run();
    assert_eq!((chosen.code, here.config()["org"].as_str()), (0, Some("demo")), "{chosen}");
    assert_eq!(here.bare(&["auth", "switch", "ben@example.org"]).run().code, 0);
    assert_eq!(here.config().get("org"), None, "what Ada chose is hers");
    assert_eq!(here.bare(&["auth", "switch", &there.url]).run().code, 0);
    assert_eq!(used(&[], &there), "ada-there");
    assert_eq!(here.bare(&["auth", "switch", "nobody"]).run().code, 4);
}

#[test]
fn a_second_sign_in_of_an_account_replaces_the_first_and_revokes_its_token() {
    let stub = Stub::new();
    stub.on("GET /me", &me()).on("GET /me/tokens", &[own_token(true)]).on("DELETE /me/tokens/token-1", &());
    for token in ["first", "second"] {
        assert_eq!(stub.bare(&["auth", "login", "--url", &stub.url]).stdin(token).run().code, 0);
    }
    assert_eq!((&stub.config()["token"], stub.config().get("accounts")), (&json!("second"), None));
    let last = stub.seen().pop().unwrap();
    assert_eq!((last.call.as_str(), last.token.as_deref()), ("DELETE /me/tokens/token-1", Some("first")));
}

#[test]
fn a_refused_credential_is_told_by_where_it_came_from() {
    let stub = Stub::new();
    let refused = problem(401, "unauthenticated", "Sign in, or send a valid token.", None);
    stub.refuse("GET /orgs/demo/projects", &refused);
    stub.write_config(&json!({ "url": stub.url, "token": "s3cret", "org": "demo" }));
    let stored = stub.bare(&["project", "list"]).run();
    assert!(stored.stderr.contains("the token in HOME/svc/config.json is not valid"), "{stored}");
    let variable = stub.bare(&["project", "list"]).env("SVC_TOKEN", "old").run();
    assert!(variable.stderr.contains("the token in SVC_TOKEN is not valid"), "{variable}");
}

#[test]
fn a_run_without_its_token_does_not_fall_back_to_its_owners() {
    let stub = Stub::new();
    stub.write_config(&json!({ "url": stub.url, "token": "owner", "org": "demo" }));
    let ran = stub
        .bare(&["item", "view", "PRJ-12"])
        .env("SVC_ITEM", "PRJ-12")
        .env("SVC_URL", &stub.url)
        .run()
        .exits(5);
    insta::assert_snapshot!("run_without_token", ran);
    for verb in ["login", "logout"] {
        stub.bare(&["auth", verb, "--url", &stub.url]).env("SVC_ITEM", "PRJ-12").stdin("x").run().exits(2);
    }
    assert!(stub.seen().is_empty());
    assert_eq!(stub.config()["token"], "owner");
}

const COOKIE: &[(&str, &str)] =
    &[("content-type", "application/json"), ("set-cookie", "svc.at=s3ssion; HttpOnly; Path=/; SameSite=Lax")];

fn created() -> CreatedToken {
    let token = Token {
        id: "token-1".into(),
        name: "svc auth".into(),
        scopes: vec![Scope::Read, Scope::Write, Scope::Admin],
        organization: None,
        created_at: at("09:00:00"),
        expires_at: None,
        last_used_at: None,
        current: false,
    };
    CreatedToken { token, secret: "t0ken".into() }
}

/// An instance that signs in at this call.
pub(crate) fn stub_signing_in(call: &str) -> Stub {
    let stub = Stub::new();
    stub.answer(call, StatusCode::OK, COOKIE, json!(me()).to_string());
    stub.on("POST /me/tokens", &created()).on("POST /auth/logout", &json!(null)).on("GET /me", &me());
    stub
}

/// What was sent with which credential, from signing in to the end.
fn credentials(stub: &Stub) -> Vec<(String, Option<String>)> {
    stub.seen().into_iter().map(|seen| (seen.call, seen.token)).collect()
}

#[test]
fn a_password_is_given_for_a_token_and_the_session_is_ended() {
    let stub = stub_signing_in("POST /auth/login");
    let ran = stub
        .bare(&["auth", "login", "--url", &stub.url, "--email", "ada@example.org"])
        .stdin("pass word\n")
        .run()
        .exits(0);
    assert_eq!(stub.seen()[0].body, json!({ "email": "ada@example.org", "password": "pass word" }));
    let made = &stub.seen()[1].body;
    assert_eq!(
        (&made["name"], &made["scopes"]),
        (&json!(own_token(true).name), &json!(["read", "write", "admin"]))
    );
    let end: jiff::Timestamp = made["expiresAt"].as_str().unwrap().parse().unwrap();
    assert!(end > at("00:00:00"), "it expires");
    let carried = [
        ("POST /auth/login", None),
        ("POST /me/tokens", Some("s3ssion")),
        ("POST /auth/logout", Some("s3ssion")),
        ("GET /me", Some("t0ken")),
    ];
    assert_eq!(credentials(&stub), carried.map(|(call, token)| (call.to_owned(), token.map(str::to_owned))));
    assert_eq!(stub.config()["token"], "t0ken");
    assert!(!format!("{ran}").contains("t0ken") && !format!("{ran}").contains("pass word"), "{ran}");
}

#[test]
fn a_password_does_not_cross_a_network_in_the_clear() {
    let stub = Stub::new();
    let ran = stub
        .bare(&["auth", "login", "--url", "http://tracker.example", "--email", "a@b.c"])
        .stdin("x")
        .run()
        .exits(2);
    assert!(ran.stderr.contains("the password would cross the network in the clear"), "{ran}");
}

#[test]
fn a_new_instance_is_set_up_once() {
    let stub = stub_signing_in("POST /auth/register");
    stub.on("GET /auth/setup", &json!({ "needed": true })).on("GET /auth/setup", &json!({ "needed": false }));
    let url = stub.url.clone();
    let args =
        ["auth", "setup", "--url", &url, "--email", "ada@example.org", "--name", "Ada", "--org", "demo"];
    let args = [&args[..], &["--org-name", "Demo"]].concat();
    stub.bare(&args).stdin("pass word").run().exits(0);
    let sent = json!({
        "email": "ada@example.org", "password": "pass word", "displayName": "Ada",
        "organization": { "slug": "demo", "name": "Demo" },
    });
    assert_eq!(stub.seen()[1].body, sent);
    assert_eq!(
        (stub.config()["token"].as_str(), stub.config()["org"].as_str()),
        (Some("t0ken"), Some("demo"))
    );
    let again = stub.bare(&args).stdin("pass word").run().exits(2);
    assert!(again.stderr.contains("svc auth login"), "{again}");
}

fn invitation(has_account: bool) -> ReceivedInvitation {
    ReceivedInvitation {
        organization: "Demo".into(),
        email: "eve@example.org".into(),
        preset: InvitationPreset::Member,
        invited_by: "Ada".into(),
        has_account,
    }
}

#[test]
fn who_is_new_joins_with_the_link_and_a_name() {
    let stub = stub_signing_in("POST /auth/invitations/accept");
    stub.on("POST /auth/invitations/look", &invitation(false));
    let link = format!("{}/join#s3cret", stub.url);
    let nameless = stub.bare(&["auth", "join", &link]).stdin("pass word").run().exits(2);
    assert!(nameless.stderr.contains("--name"), "{nameless}");
    let asked = stub.seen().len();
    let ran = stub.bare(&["auth", "join", &link, "--name", "Eve"]).stdin("pass word").run().exits(0);
    assert!(ran.stderr.contains("Ada invites eve@example.org to Demo (member)."), "{ran}");
    let sent = json!({ "secret": "s3cret", "displayName": "Eve", "password": "pass word" });
    assert_eq!(stub.seen()[asked + 1].body, sent);
    assert_eq!((&stub.config()["url"], &stub.config()["token"]), (&json!(stub.url), &json!("t0ken")));
    let cut = stub.bare(&["auth", "join", "https://tracker.example/join", "--name", "Eve"]).stdin("x").run();
    assert_eq!(cut.code, 2, "the shell took what follows the #: {cut}");
}

#[test]
fn who_has_an_account_joins_signed_in() {
    let stub = Stub::new();
    stub.on("POST /auth/invitations/look", &invitation(true));
    stub.on("POST /auth/invitations/accept", &AcceptedInvitation { organization: org("acme", "Acme") });
    let link = format!("{}/join#s3cret", stub.url);
    let stranger = stub.bare(&["auth", "join", &link]).run().exits(5);
    assert!(stranger.stderr.contains("svc auth login --url"), "{stranger}");
    stub.write_config(&json!({ "url": "https://elsewhere.example", "token": "t0ken" }));
    let elsewhere = stub.bare(&["auth", "join", &link]).run();
    assert_eq!(elsewhere.code, 5, "a token of another instance stays at home: {elsewhere}");
    stub.write_config(&json!({ "url": stub.url, "token": "t0ken" }));
    let known = stub.bare(&["auth", "join", &link]).run().exits(0);
    assert!(known.stderr.contains("--org acme"), "{known}");
    let sent = stub.seen().pop().unwrap();
    assert_eq!((sent.body, sent.token.as_deref()), (json!({ "secret": "s3cret" }), Some("t0ken")));
    stub.now("POST /auth/invitations/look", &invitation(false));
    let by_hand = stub.bare(&["auth", "join", &link]).run();
    assert_eq!(by_hand.code, 0, "a link that was passed on by hand does not tell of the account: {by_hand}");
    assert_eq!(stub.seen().pop().unwrap().token.as_deref(), Some("t0ken"));
}

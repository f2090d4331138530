//! `svc auth`: what is verified, what is stored, and how it is protected.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use crate::fixtures::{me, problem};
use crate::stub::Stub;

fn mode(path: &std::path::Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn login_stores_a_token_that_works_where_only_its_owner_reads_it() {
    let stub = Stub::new();
    stub.on("GET /me", &me());
    let ran = stub.bare(&["auth", "login", "--url", &stub.url]).stdin("s3cret\n").run();
    assert_eq!(ran.code, 0, "{ran}");
    insta::assert_snapshot!("login", ran);
    assert_eq!(stub.seen()[0].token.as_deref(), Some("s3cret"));
    assert_eq!(stub.config(), json!({ "url": stub.url, "token": "s3cret" }));
    assert_eq!(mode(&stub.config_path()), 0o600);
    assert_eq!(mode(stub.config_path().parent().unwrap()), 0o700);
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
    let ran = stub.bare(&["auth", "login", "--url", &stub.url]).stdin("s3cret").run();
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    let expected = json!({ "url": stub.url, "token": "s3cret", "color": 1 });
    assert_eq!(stub.config(), expected, "the other instance's organization is gone");
}

#[test]
fn login_stores_the_organization_that_is_named_and_visible() {
    let stub = Stub::new();
    stub.on("GET /me", &me());
    let ran = stub.bare(&["auth", "login", "--url", &stub.url, "--org", "demo"]).stdin("s3cret").run();
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(stub.config()["org"], "demo");

    let ran = stub.bare(&["auth", "login", "--org", "nobody"]).stdin("s3cret").run();
    assert_eq!(ran.code, 4, "{ran}");
    insta::assert_snapshot!("login_foreign_org", ran);
    assert_eq!(stub.config()["org"], "demo");
}

#[test]
fn login_stores_nothing_when_the_token_is_refused() {
    let stub = Stub::new();
    stub.refuse("GET /me", &problem(401, "unauthenticated", "Sign in, or send a valid token.", None));
    let ran = stub.bare(&["auth", "login", "--url", &stub.url]).stdin("s3cret").run();
    assert_eq!(ran.code, 5, "{ran}");
    assert!(!stub.config_path().exists());
    assert!(!ran.stderr.contains("s3cret"), "{ran}");
}

#[test]
fn login_refuses_what_is_no_access_token() {
    let stub = Stub::new();
    for (input, said) in
        [("jrn_abc", "runner secret"), ("\n", "no token"), ("two words", "more than a token")]
    {
        let ran = stub.bare(&["auth", "login", "--url", &stub.url]).stdin(input).run();
        assert_eq!(ran.code, 2, "{ran}");
        assert!(ran.stderr.contains(said), "{ran}");
    }
    assert!(stub.seen().is_empty(), "nothing was sent");
}

#[test]
fn login_and_logout_tell_that_a_variable_wins() {
    let stub = Stub::new();
    stub.on("GET /me", &me());
    for verb in ["login", "logout"] {
        let ran =
            stub.bare(&["auth", verb, "--url", &stub.url]).env("SVC_TOKEN", "other").stdin("s3cret").run();
        assert_eq!(ran.code, 0, "{ran}");
        assert!(ran.stderr.contains("SVC_TOKEN is"), "{ran}");
    }
    assert_eq!(stub.seen()[0].token.as_deref(), Some("s3cret"), "the one that was to be stored was verified");
}

#[test]
fn login_needs_an_address() {
    let ran = Stub::new().bare(&["auth", "login"]).stdin("s3cret").run();
    assert_eq!(ran.code, 2, "{ran}");
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

#[test]
fn logout_removes_the_token_and_nothing_else() {
    let stub = Stub::new();
    stub.write_config(&json!({ "url": stub.url, "token": "s3cret", "org": "demo" }));
    let ran = stub.bare(&["auth", "logout"]).run();
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(stub.config(), json!({ "url": stub.url, "org": "demo" }));
    assert_eq!(stub.bare(&["auth", "logout"]).run().code, 0, "a second time does no harm");
    assert_eq!(stub.bare(&["project", "list"]).run().code, 5);
}

#[test]
fn a_run_without_its_token_does_not_fall_back_to_its_owners() {
    let stub = Stub::new();
    stub.write_config(&json!({ "url": stub.url, "token": "owner", "org": "demo" }));
    let ran =
        stub.bare(&["item", "view", "PRJ-12"]).env("SVC_ITEM", "PRJ-12").env("SVC_URL", &stub.url).run();
    assert_eq!(ran.code, 5, "{ran}");
    insta::assert_snapshot!("run_without_token", ran);
    for verb in ["login", "logout"] {
        let ran = stub.bare(&["auth", verb, "--url", &stub.url]).env("SVC_ITEM", "PRJ-12").stdin("x").run();
        assert_eq!(ran.code, 2, "{ran}");
    }
    assert!(stub.seen().is_empty());
    assert_eq!(stub.config()["token"], "owner");
}

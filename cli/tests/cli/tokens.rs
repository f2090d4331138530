//! `svc token`.

use axum::http::StatusCode;
use serde_json::json;
use svc_api::identity::{CreatedToken, Token};

use crate::fixtures::{at, problem, token};
use crate::stub::Stub;

#[test]
fn tokens_are_listed_without_their_secrets() {
    let stub = Stub::new();
    let late = Token {
        organization: None,
        expires_at: Some(at("23:00:00")),
        last_used_at: None,
        current: false,
        ..token("t2", "nightly")
    };
    stub.on("GET /me/tokens", &[token("t1", "laptop"), late]);
    insta::assert_snapshot!("token_list", stub.svc(&["token", "list"]).run());
}

#[test]
fn the_secret_alone_is_data() {
    let stub = Stub::new();
    let created = CreatedToken { token: token("t1", "ci"), secret: "svp_secret".into() };
    stub.on("POST /me/tokens", &created);
    let args = ["token", "create", "ci", "--scope", "read,write", "--scope", "MCP", "--bound-to", "demo"];
    insta::assert_snapshot!("token_create", stub.svc(&args).run());
    let sent = json!({ "name": "ci", "scopes": ["read", "write", "mcp"], "organization": "demo" });
    assert_eq!(stub.last_body(), sent);
    let json = stub.svc(&[&args[..], &["--json"]].concat()).run().json();
    assert_eq!(json, serde_json::to_value(&created).unwrap());
    assert_eq!(stub.svc(&["token", "create", "ci"]).run().code, 2, "a token may do something");
}

#[test]
fn an_end_is_a_day_a_time_or_a_term() {
    let stub = Stub::new();
    stub.on("POST /me/tokens", &CreatedToken { token: token("t1", "ci"), secret: "svp_secret".into() });
    let end = |when: &str| stub.svc(&["token", "create", "ci", "--scope", "read", "--expires", when]).run();
    for (when, sent) in
        [("2031-01-31", "2031-01-31T00:00:00Z"), ("2031-01-31T18:00:00+02:00", "2031-01-31T16:00:00Z")]
    {
        assert_eq!(end(when).code, 0);
        assert_eq!(stub.last_body()["expiresAt"], sent);
    }
    assert_eq!(end("90d").code, 0);
    let moment: jiff::Timestamp = serde_json::from_value(stub.last_body()["expiresAt"].clone()).unwrap();
    assert!(moment > at("00:00:00"), "{moment}");
    let wrong = end("soon");
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("90d"), "{wrong}");
}

#[test]
fn a_refused_value_is_called_by_its_option() {
    let stub = Stub::new();
    let mut refused = problem(422, "validation-failed", "Some fields are not valid.", None);
    refused.errors.insert("expiresAt".into(), vec!["must not be later than your token's expiry".into()]);
    stub.refuse("POST /me/tokens", &refused);
    let ran = stub.svc(&["token", "create", "ci", "--scope", "read", "--expires", "365d"]).run().exits(2);
    assert_eq!(
        ran.stderr,
        "error: --expires: must not be later than your token's expiry\n  Some fields are not valid.\n"
    );
}

#[test]
fn revoking_names_the_token_and_asks_first() {
    let stub = Stub::new();
    stub.on("GET /me/tokens", &[token("t1", "laptop"), token("t2", "ci"), token("t3", "ci")]);
    assert_eq!(stub.svc(&["token", "revoke", "laptop"]).run().code, 2, "unasked");
    insta::assert_snapshot!("token_several", stub.svc(&["token", "revoke", "ci", "--yes"]).run());
    stub.answer("DELETE /me/tokens/t3", StatusCode::NO_CONTENT, &[], String::new());
    assert_eq!(stub.svc(&["token", "revoke", "t3", "--yes"]).run().code, 0);
    assert_eq!(stub.calls().pop().unwrap(), "DELETE /me/tokens/t3");
}

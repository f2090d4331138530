//! `svc member`.

use axum::http::StatusCode;
use serde_json::json;
use svc_api::identity::{Member, OrgRole};

use crate::fixtures::{me, member};
use crate::stub::Stub;

const MEMBERS: &str = "GET /orgs/demo/members";

fn stub() -> Stub {
    let stub = Stub::new();
    let twin = Member {
        user_id: "user-ben-2".into(),
        email: "ben@example.com".into(),
        ..member("Ben", OrgRole::Guest)
    };
    let people = [
        Member { can_start_ai_work: true, ..member("Ada", OrgRole::Owner) },
        member("Ben", OrgRole::Member),
        twin,
    ];
    stub.on(MEMBERS, &people);
    stub
}

#[test]
fn members_are_listed() {
    insta::assert_snapshot!("member_list", stub().svc(&["member", "list"]).run());
}

#[test]
fn who_may_not_know_addresses_sees_no_column_of_them() {
    let stub = Stub::new();
    let hidden = |name: &str| Member { email: String::new(), ..member(name, OrgRole::Member) };
    stub.on(MEMBERS, &[member("Ada", OrgRole::Guest), hidden("Ben"), hidden("Eve")]);
    let own = stub.svc(&["member", "list"]).run();
    assert!(own.code == 0 && !own.stdout.contains("EMAIL"), "{own}");
    stub.now(MEMBERS, &[member("Ada", OrgRole::Guest), member("Eve", OrgRole::Owner), hidden("Ben")]);
    let some = stub.svc(&["member", "list"]).run();
    assert!(some.stdout.lines().nth(3).unwrap().contains("-  "), "{some}");
}

#[test]
fn edit_sends_only_what_was_asked_under_the_version_that_was_read() {
    let stub = stub();
    stub.on("GET /me", &me());
    for (args, user, sent) in [
        (["ben@example.com", "--role", "admin"], "user-ben-2", json!({ "version": 3, "role": "admin" })),
        (
            ["ben@example.org", "--can-start-ai-work", "true"],
            "user-ben",
            json!({ "version": 3, "canStartAiWork": true }),
        ),
        (["@me", "--role", "member"], "user-ada", json!({ "version": 3, "role": "member" })),
    ] {
        let call = format!("PATCH /orgs/demo/members/{user}");
        stub.on(&call, &member("Ben", OrgRole::Admin));
        stub.svc(&[&["member", "edit"], &args[..]].concat()).run().exits(0);
        assert_eq!((stub.calls().pop().unwrap(), stub.last_body()), (call, sent));
    }
    assert_eq!(stub.svc(&["member", "edit", "Ada"]).run().code, 2, "nothing to change");
}

#[test]
fn a_name_of_several_is_refused_with_their_addresses() {
    let stub = stub();
    insta::assert_snapshot!("member_several", stub.svc(&["member", "remove", "ben", "--yes"]).run());
    insta::assert_snapshot!("member_unknown", stub.svc(&["member", "remove", "Eve", "--yes"]).run());
    assert_eq!(stub.calls(), [MEMBERS, MEMBERS], "nobody is removed");
}

#[test]
fn removing_asks_first() {
    let stub = stub();
    let unasked = stub.svc(&["member", "remove", "Ada"]).run().exits(2);
    assert!(unasked.stderr.contains("--yes") && unasked.stderr.contains("ada@example.org"), "{unasked}");
    let call = "DELETE /orgs/demo/members/user-ada";
    stub.answer(call, StatusCode::NO_CONTENT, &[], String::new());
    let ran = stub.svc(&["member", "remove", "Ada", "--yes"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{ran}");
    assert_eq!(stub.calls(), [MEMBERS, MEMBERS, call]);
}

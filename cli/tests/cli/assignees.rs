//! Whom work is given to.

use serde_json::json;
use svc_api::identity::{Member, OrgRole};

use crate::fixtures::{fresh_item, item};
use crate::stub::Stub;

const MEMBERS: &str = "GET /orgs/demo/members";

fn stub_with_members() -> Stub {
    let member = |user_id: &str, display_name: &str, email: &str| Member {
        user_id: user_id.into(),
        email: email.into(),
        display_name: display_name.into(),
        role: OrgRole::Member,
        can_start_ai_work: true,
        avatar_key: None,
        invitation: None,
        version: 4,
    };
    let stub = Stub::new();
    let members = [
        member("user-ada", "Ada Lovelace", "ada@example.org"),
        member("user-ben", "Ben", "ben@example.org"),
        member("user-2", "Ben", "b@x.org"),
    ];
    stub.on(MEMBERS, &members);
    stub
}

#[test]
fn an_assignee_is_named_as_a_member_is() {
    let stub = stub_with_members();
    stub.on("POST /orgs/demo/projects/PRJ/items", &fresh_item("PRJ-13", "x"));
    stub.on("GET /orgs/demo/items/PRJ-12", &item("PRJ-12", "x"));
    stub.on("PATCH /orgs/demo/items/PRJ-12", &item("PRJ-12", "x"));
    let create = ["item", "create", "-p", "PRJ", "--type", "bug", "--title", "x", "--assignee"];
    assert_eq!(stub.svc(&[&create[..], &["ada@example.org"]].concat()).run().code, 0);
    assert_eq!(stub.last_body()["assignee"], "user-ada");
    let update = ["item", "update", "PRJ-12", "--assignee"];
    assert_eq!(stub.svc(&[&update[..], &["Ada Lovelace"]].concat()).run().code, 0);
    assert_eq!(stub.last_body(), json!({ "version": 7, "assignee": "user-ada" }));
    let asked = stub.calls().len();
    let id = "0193a6e5-0000-7000-8000-000000000001";
    assert_eq!(stub.svc(&[&update[..], &[id]].concat()).run().code, 0);
    assert_eq!(stub.last_body()["assignee"], id);
    assert!(!stub.calls()[asked..].contains(&MEMBERS.to_owned()), "an id needs no list");
    let several = stub.svc(&[&update[..], &["Ben"]].concat()).run().exits(2);
    assert!(
        several.stderr.contains("ben@example.org  Ben") && several.stderr.contains("b@x.org  Ben"),
        "{several}"
    );
    assert_eq!(stub.svc(&[&update[..], &["eve@example.org"]].concat()).run().code, 4);
}

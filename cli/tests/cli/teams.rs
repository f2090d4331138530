//! `svc team`.

use axum::http::StatusCode;
use serde_json::json;
use svc_api::identity::OrgRole;

use crate::fixtures::{ada, me, member, problem, team};
use crate::stub::Stub;

const TEAM: &str = "GET /orgs/demo/projects/PRJ/teams/web";

fn stub() -> Stub {
    let stub = Stub::new();
    let web = team("web", &[ada()]);
    stub.on("GET /orgs/demo/projects/PRJ/teams", &[&web, &team("ops", &[])]);
    stub.on(TEAM, &web).on("PATCH /orgs/demo/projects/PRJ/teams/web", &web);
    stub.on("POST /orgs/demo/projects/PRJ/teams", &web);
    stub.on("GET /orgs/demo/members", &[member("Ada", OrgRole::Owner), member("Ben", OrgRole::Member)]);
    stub.on("GET /me", &me());
    stub
}

#[test]
fn teams_are_listed_and_seen() {
    let stub = stub();
    insta::assert_snapshot!("team_list", stub.svc(&["team", "list", "-p", "PRJ"]).run());
    insta::assert_snapshot!("team_view", stub.svc(&["team", "view", "web", "-p", "PRJ"]).run());
}

#[test]
fn create_finds_the_members_each_once() {
    let stub = stub();
    let args = ["team", "create", "web", "-p", "PRJ", "--name", "Web", "--member", "ben@example.org"];
    stub.svc(&[&args[..], &["--member", "@me", "--member", "Ada"]].concat()).run().exits(0);
    assert_eq!(stub.last_body(), json!({ "key": "web", "name": "Web", "members": ["user-ben", "user-ada"] }));
    let alone = Stub::new();
    alone.on("POST /orgs/demo/projects/PRJ/teams", &team("web", &[]));
    assert_eq!(alone.svc(&args[..7]).run().code, 0);
    assert_eq!(alone.calls(), ["POST /orgs/demo/projects/PRJ/teams"], "nobody is looked up for nothing");
}

#[test]
fn edit_adds_and_removes_under_the_version_that_was_read() {
    let stub = stub();
    for (args, sent) in [
        (&["--name", "Web"][..], json!({ "version": 4, "name": "Web" })),
        (&["--add-member", "ben"], json!({ "version": 4, "members": ["user-ada", "user-ben"] })),
        (
            &["--add-member", "ben", "--remove-member", "ada@example.org"],
            json!({ "version": 4, "members": ["user-ben"] }),
        ),
        (&["--remove-member", "@me"], json!({ "version": 4, "members": [] })),
    ] {
        stub.svc(&[&["team", "edit", "web", "-p", "PRJ"], args].concat()).run().exits(0);
        assert_eq!(stub.last_body(), sent, "{args:?}");
    }
    for (verb, archived) in [("archive", true), ("unarchive", false)] {
        assert_eq!(stub.svc(&["team", verb, "web", "-p", "PRJ"]).run().code, 0);
        assert_eq!(stub.last_body(), json!({ "version": 4, "archived": archived }));
    }
    assert_eq!(stub.svc(&["team", "edit", "web", "-p", "PRJ"]).run().code, 2, "nothing to change");
}

#[test]
fn a_team_with_sprints_stays() {
    let stub = Stub::new();
    assert_eq!(stub.svc(&["team", "delete", "web", "-p", "PRJ"]).run().code, 2, "unasked");
    let call = "DELETE /orgs/demo/projects/PRJ/teams/web";
    stub.refuse(call, &problem(409, "conflict", "The team has sprints.", Some("Archive it instead.")));
    let ran = stub.svc(&["team", "delete", "web", "-p", "PRJ", "--yes"]).run().exits(3);
    assert!(ran.stderr.contains("Archive it"), "{ran}");
    let free = Stub::new();
    free.answer(call, StatusCode::NO_CONTENT, &[], String::new());
    assert_eq!(free.svc(&["team", "delete", "web", "-p", "PRJ", "--yes"]).run().code, 0);
}

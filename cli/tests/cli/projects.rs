//! `svc project`.

use axum::http::StatusCode;
use jiff::Timestamp;
use serde_json::json;
use svc_api::deletion::Deletion;
use svc_api::identity::{Actor, Member, OrgRole, Organization, ProjectRole};
use svc_api::tracker::Project;

use crate::fixtures::{me, member, org, problem, project, project_member, team, template, workflow};
use crate::stub::Stub;

const PROJECT: &str = "GET /orgs/demo/projects/PRJ";
const MEMBERS: &str = "GET /orgs/demo/members";

fn stub_with_project() -> Stub {
    let stub = Stub::new();
    let project = Project { version: 9, ..project("PRJ", "Search and find", false) };
    stub.on(PROJECT, &project).on("PATCH /orgs/demo/projects/PRJ", &project);
    stub
}

#[test]
fn archived_projects_are_listed_on_request() {
    let stub = Stub::new();
    let (old, live) = (project("OLD", "Retired project", true), project("PRJ", "Search and find", false));
    stub.on("GET /orgs/demo/projects", &[&live]).on("GET /orgs/demo/projects", &[&old, &live]);
    insta::assert_snapshot!("project_list", stub.svc(&["project", "list"]).run());
    insta::assert_snapshot!("project_list_archived", stub.svc(&["project", "list", "--archived"]).run());
    assert_eq!(stub.calls(), ["GET /orgs/demo/projects", "GET /orgs/demo/projects?archived=true"]);
    let json = stub.svc(&["project", "list", "--archived", "--json"]).run();
    insta::assert_snapshot!("project_list_json", json);
}

#[test]
fn an_empty_list_is_talk_for_people_and_data_for_scripts() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects", &json!([]));
    let ran = stub.svc(&["project", "list"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{ran}");
    assert!(!ran.stderr.is_empty());
    assert_eq!(stub.svc(&["project", "list", "--json"]).run().stdout, "[]\n");
}

#[test]
fn a_guest_is_called_one_in_their_projects() {
    let stub = Stub::new();
    let own = Project { role: Some(ProjectRole::Member), ..project("PRJ", "Search and find", false) };
    let org = Organization { role: OrgRole::Guest, ..org("demo", "Demo") };
    stub.on("GET /orgs/demo/projects", &[own]).on("GET /orgs/demo", &org);
    let listed = stub.svc(&["project", "list"]).run();
    assert!(listed.stdout.contains("PRJ  guest"), "{listed}");
    stub.on(&format!("{PROJECT}/members"), &[project_member("Gus", ProjectRole::Member)]);
    stub.on(MEMBERS, &[member("Gus", OrgRole::Guest)]);
    let people = stub.svc(&["project", "member", "list", "PRJ"]).run();
    assert!(people.stdout.contains("guest  gus@example.org"), "{people}");
}

#[test]
fn a_view_tells_what_a_newcomer_asks() {
    let stub = Stub::new();
    let described = Project {
        description: "The search of the *shop*.\n".into(),
        role: Some(ProjectRole::Admin),
        ..project("PRJ", "Search and find", false)
    };
    stub.on(PROJECT, &described);
    stub.on("GET /orgs/demo/projects/PRJ/workflow", &workflow());
    let people = [project_member("Ada", ProjectRole::Admin), project_member("Ben", ProjectRole::Member)];
    stub.on("GET /orgs/demo/projects/PRJ/members", &people);
    let mut gone = team("old", &[]);
    gone.archived = true;
    stub.on("GET /orgs/demo/projects/PRJ/teams", &[team("web", &[]), gone]);
    stub.on("GET /orgs/demo/projects/PRJ/templates", &[template("t1", "Bug report")]);
    insta::assert_snapshot!("project_view", stub.svc(&["project", "view", "prj"]).run());
    let json = stub.svc(&["project", "view", "PRJ", "--json"]).run().json();
    assert_eq!(json, serde_json::to_value(&described).unwrap(), "the API's own shape");
}

#[test]
fn create_sends_key_name_and_description() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/projects", &project("PRJ", "Search and find", false));
    let args = ["project", "create", "prj", "--name", "Search and find", "--description", "The search"];
    insta::assert_snapshot!("project_create", stub.svc(&args).run());
    assert_eq!(
        stub.last_body(),
        json!({ "key": "PRJ", "name": "Search and find", "description": "The search" })
    );
    let from_stdin = [&args[..5], &["--description-file", "-"]].concat();
    assert_eq!(stub.svc(&from_stdin).stdin("From *stdin*").run().code, 0);
    assert_eq!(stub.last_body()["description"], "From *stdin*");
    assert_eq!(stub.svc(&["project", "create", "p-1", "--name", "x"]).run().code, 2, "no key");
}

#[test]
fn a_change_sends_only_what_was_asked_under_the_version_that_was_read() {
    let stub = stub_with_project();
    for (args, sent) in [
        (&["edit", "PRJ", "--name", "Find"][..], json!({ "version": 9, "name": "Find" })),
        (&["edit", "PRJ", "--description", ""], json!({ "version": 9, "description": "" })),
        (&["archive", "prj"], json!({ "version": 9, "archived": true })),
        (&["unarchive", "PRJ"], json!({ "version": 9, "archived": false })),
    ] {
        stub.svc(&[&["project"], args].concat()).run().exits(0);
        assert_eq!(stub.last_body(), sent, "{args:?}");
    }
    let before = stub.seen().len();
    assert_eq!(stub.svc(&["project", "edit", "PRJ"]).run().code, 2, "nothing to change");
    assert_eq!(stub.seen().len(), before);
}

#[test]
fn who_comes_too_late_is_told_so_and_changes_nothing() {
    let stub = Stub::new();
    stub.on(PROJECT, &project("PRJ", "Search and find", false));
    let late = problem(409, "stale-version", "Somebody else saved first.", None);
    stub.refuse("PATCH /orgs/demo/projects/PRJ", &late);
    let ran = stub.svc(&["project", "edit", "PRJ", "--name", "Find"]).run().exits(3);
    assert!(ran.stderr.contains("read it again"), "{ran}");
}

#[test]
fn members_are_named_by_address_or_name() {
    let stub = Stub::new();
    stub.on(MEMBERS, &[member("Ada", OrgRole::Owner), member("Ben", OrgRole::Member)]);
    stub.on("GET /orgs/demo/projects/PRJ/members", &[project_member("Ben", ProjectRole::Member)]);
    stub.on("PUT /orgs/demo/projects/PRJ/members/user-ben", &project_member("Ben", ProjectRole::Admin));
    let add = ["project", "member", "add", "prj", "BEN@example.org", "--role", "admin"];
    insta::assert_snapshot!("project_member_add", stub.svc(&add).run());
    assert_eq!(stub.last_body(), json!({ "role": "admin", "version": 1 }));
    let call = "DELETE /orgs/demo/projects/PRJ/members/user-ben";
    stub.answer(call, axum::http::StatusCode::NO_CONTENT, &[], String::new());
    let ran = stub.svc(&["project", "member", "remove", "PRJ", "ben"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{ran}");
    assert!(ran.stderr.contains("ben@example.org"), "{ran}");
    assert_eq!(stub.calls().pop().unwrap(), call);
}

/// A first name was enough for `svc item update --assignee` only.
#[test]
fn a_first_name_is_enough_where_one_member_has_it() {
    let stub = Stub::new();
    let named = |name: &str, first: &str| Member {
        user_id: format!("user-{first}"),
        email: format!("{first}@example.org"),
        ..member(name, OrgRole::Member)
    };
    stub.on(MEMBERS, &[named("Ada King", "ada"), named("Ben Stone", "ben"), named("Ben King", "benk")]);
    stub.on("GET /orgs/demo/projects/PRJ/members", &[project_member("Ada", ProjectRole::Member)]);
    stub.on("PUT /orgs/demo/projects/PRJ/members/user-ada", &project_member("Ada", ProjectRole::Admin));
    stub.on("PATCH /orgs/demo/members/user-ada", &named("Ada King", "ada"));
    stub.on("POST /orgs/demo/projects/PRJ/teams", &team("web", &[]));
    for args in [
        &["project", "member", "add", "PRJ", "ada", "--role", "admin"][..],
        &["project", "member", "edit", "PRJ", "ada", "--role", "admin"],
        &["member", "edit", "ada", "--role", "admin"],
        &["team", "create", "web", "-p", "PRJ", "--name", "Web", "--member", "ada"],
    ] {
        stub.svc(args).run().exits(0);
    }
    assert_eq!(stub.last_body()["members"], json!(["user-ada"]));
    let called = stub.calls().len();
    let several = stub.svc(&["project", "member", "add", "PRJ", "Ben"]).run().exits(2);
    for candidate in ["ben@example.org  Ben Stone", "benk@example.org  Ben King"] {
        assert!(several.stderr.contains(candidate), "{several}");
    }
    let part = stub.svc(&["project", "member", "add", "PRJ", "Ad"]).run();
    assert!(part.code == 4 && part.stderr.contains("ada@example.org  Ada King"), "{part}");
    assert!(stub.calls()[called..].iter().all(|call| call == MEMBERS), "{:?}", stub.calls());
}

#[test]
fn members_of_a_project_are_listed_with_their_addresses() {
    let stub = Stub::new();
    let people = [project_member("Ada", ProjectRole::Admin), project_member("Gone", ProjectRole::Member)];
    stub.on("GET /orgs/demo/projects/PRJ/members", &people);
    stub.on(MEMBERS, &[member("Ada", OrgRole::Owner)]);
    insta::assert_snapshot!("project_member_list", stub.svc(&["project", "member", "list", "PRJ"]).run());
    let json = stub.svc(&["project", "member", "list", "PRJ", "--json"]).run().json();
    assert_eq!(json, serde_json::to_value(people).unwrap(), "the API's own shape");
}

#[test]
fn adding_never_lowers_a_role_and_editing_does() {
    let stub = Stub::new();
    stub.on(MEMBERS, &[member("Ada", OrgRole::Owner)]).on("GET /me", &me());
    stub.on("GET /orgs/demo/projects/PRJ/members", &[project_member("Ada", ProjectRole::Admin)]);
    for add in [&["add", "PRJ", "@me"][..], &["add", "-p", "PRJ", "ada", "--role", "member"]] {
        let ran = stub.svc(&[&["project", "member"], add].concat()).run().exits(0);
        assert!(ran.stdout.contains("admin") && ran.stderr.contains("svc project member edit"), "{ran}");
    }
    assert!(stub.calls().iter().all(|call| call.starts_with("GET ")), "{:?}", stub.calls());
    stub.on("PUT /orgs/demo/projects/PRJ/members/user-ada", &project_member("Ada", ProjectRole::Member));
    stub.svc(&["project", "member", "edit", "PRJ", "@me", "--role", "member"]).run().exits(0);
    assert_eq!(stub.last_body(), json!({ "role": "member", "version": 1 }));
}

#[test]
fn the_default_project_is_that_of_the_variable_or_the_chosen_one() {
    let stub = Stub::new();
    for key in ["PRJ", "WEB"] {
        stub.on(&format!("GET /orgs/demo/projects/{key}/labels"), &json!([]));
        stub.on(&format!("GET /orgs/demo/projects/{key}"), &project(key, "Project", false));
    }
    stub.write_config(&json!({ "url": stub.url, "token": "s3cret", "org": "demo" }));
    let none = stub.bare(&["label", "list"]).run().exits(2);
    assert!(none.stderr.contains("SVC_PROJECT") && none.stderr.contains("svc project use"), "{none}");
    assert_eq!(stub.bare(&["project", "use", "web"]).run().code, 0);
    assert_eq!(stub.config()["project"], "WEB");
    for (args, variable, key) in [
        (&["label", "list"][..], "", "WEB"),
        (&["label", "list"], "prj", "PRJ"),
        (&["label", "list", "-p", "web"], "prj", "WEB"),
    ] {
        assert_eq!(stub.bare(args).env("SVC_PROJECT", variable).run().code, 0);
        assert_eq!(stub.calls().pop().unwrap(), format!("GET /orgs/demo/projects/{key}/labels"));
    }
    assert_eq!(stub.bare(&["project", "use", "--unset"]).run().code, 0);
    assert_eq!(stub.config().get("project"), None);
}

#[test]
fn projects_are_deleted_by_their_key_and_restored() {
    let stub = stub_with_project();
    let deletion = Deletion {
        by: Actor { id: "user-ada".into(), name: "Ada".into(), agent: false },
        at: Timestamp::UNIX_EPOCH,
        restorable_until: Timestamp::UNIX_EPOCH,
    };
    let gone = Project { deletion: Some(deletion), ..project("OLD", "Retired project", false) };
    stub.on("GET /orgs/demo/projects?deleted=true", &[&gone]);
    stub.answer("DELETE /orgs/demo/projects/PRJ", StatusCode::NO_CONTENT, &[], String::new());
    stub.on("POST /orgs/demo/projects/OLD/restore", &project("OLD", "Retired project", false));
    let unasked = stub.svc(&["project", "delete", "PRJ"]).run();
    assert!(unasked.code == 2 && unasked.stderr.contains("Type PRJ to delete the project"), "{unasked}");
    stub.svc(&["project", "delete", "prj", "--yes"]).run().exits(0);
    assert_eq!(stub.calls().last().unwrap(), "DELETE /orgs/demo/projects/PRJ?confirm=PRJ");
    let listed = stub.svc(&["project", "list", "--deleted"]).run();
    for part in ["OLD", "Ada", "1970-01-01", "Retired project"] {
        assert!(listed.stdout.contains(part), "{part}: {listed}");
    }
    insta::assert_snapshot!("project_list_deleted", listed);
    let refused = problem(410, "deleted", "This was deleted.", Some("The project was deleted."));
    for part in ["workflow", "members", "teams", "templates"] {
        stub.refuse(&format!("GET /orgs/demo/projects/OLD/{part}"), &refused);
    }
    for (call, args) in [
        ("GET /orgs/demo/projects/OLD", &["project", "view", "OLD"][..]),
        ("GET /orgs/demo/items/OLD-1", &["item", "view", "OLD-1"]),
    ] {
        let ran = stub.refuse(call, &refused).svc(args).run();
        assert!(ran.code == 4 && ran.stderr.contains("restore it with `svc project restore OLD`"), "{ran}");
    }
    let back = stub.svc(&["project", "restore", "old"]).run();
    assert!(back.code == 0 && back.stdout.contains("Retired project"), "{back}");
    let there = stub.svc(&["project", "restore", "prj"]).run();
    assert!(there.code == 4 && there.stderr.contains("the project PRJ is not deleted"), "{there}");
}

#[test]
fn a_project_is_named_by_its_key_or_by_the_option() {
    for named in [&["PRJ"][..], &["-p", "PRJ"]] {
        let stub = Stub::new();
        let _ = stub.svc(&[&["project", "stats"], named].concat()).run();
        let asked = "GET /orgs/demo/projects/PRJ/stats?weeks=12".to_owned();
        assert!(stub.calls().contains(&asked), "{:?}", stub.calls());
    }
}

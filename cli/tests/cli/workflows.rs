//! `svc workflow`.

use serde_json::{Value, json};

use crate::fixtures::{problem, workflow};
use crate::stub::Stub;

const GET: &str = "GET /orgs/demo/projects/PRJ/workflow";
const PUT: &str = "PUT /orgs/demo/projects/PRJ/workflow";
const EDIT: [&str; 6] = ["workflow", "edit", "-p", "PRJ", "--file", "-"];

fn stub() -> Stub {
    let stub = Stub::new();
    stub.on(GET, &workflow()).on(PUT, &workflow());
    stub
}

#[test]
fn states_are_shown_with_where_items_may_go() {
    insta::assert_snapshot!("workflow_view", stub().svc(&["workflow", "view", "-p", "prj"]).run());
}

#[test]
fn what_was_printed_is_edited_and_sent_back_under_its_version() {
    let stub = stub();
    let printed = stub.svc(&["workflow", "view", "-p", "PRJ", "--json"]).run().stdout;
    let edited = printed.replace("In review", "Review");
    let moved = ["--move-items", "In review=Review"];
    stub.svc(&[&EDIT[..], &moved].concat()).stdin(&edited).run().exits(0);
    let mut sent: Value = serde_json::from_str(&edited).unwrap();
    sent["moveItems"] = json!([{ "from": "In review", "to": "Review" }]);
    assert_eq!((sent["version"].clone(), stub.last_body()), (json!(6), sent));
    assert_eq!(stub.calls(), [GET, PUT], "the version is the one that was printed");
}

#[test]
fn a_workflow_without_a_version_replaces_what_there_is_only_by_force() {
    let stub = stub();
    let file = stub.home.path().join("workflow.json");
    std::fs::write(&file, r#"{ "states": [{ "name": "Open", "group": "active" }], "moves": [] }"#).unwrap();
    let edit = ["workflow", "edit", "-p", "PRJ", "--file", file.to_str().unwrap()];
    let refused = stub.svc(&edit).run();
    assert_eq!((refused.code, stub.seen().len()), (2, 0), "{refused}");
    assert!(refused.stderr.contains("--force"), "{refused}");
    stub.svc(&[&edit[..], &["--force"]].concat()).run().exits(0);
    let sent = json!({ "version": 6, "states": [{ "name": "Open", "group": "active" }], "moves": [] });
    assert_eq!((stub.last_body(), stub.calls()), (sent, vec![GET.to_owned(), PUT.to_owned()]));
}

/// One workflow without moves held every item of a project where it was.
#[test]
fn states_without_moves_between_them_are_refused() {
    let stub = stub();
    let file = r#"{ "version": 6, "states": [{ "name": "Open", "group": "active" }, { "name": "Done", "group": "closed" }],
        "moves": [] }"#;
    let refused = stub.svc(&EDIT).stdin(file).run();
    assert_eq!((refused.code, stub.seen().len()), (2, 0), "{refused}");
    assert!(refused.stderr.contains("items could not leave \"Open\""), "{refused}");
    assert_eq!(stub.svc(&[&EDIT[..], &["--force"]].concat()).stdin(file).run().code, 0);
}

#[test]
fn who_comes_too_late_is_told_so() {
    let stub = Stub::new();
    stub.refuse(PUT, &problem(409, "stale-version", "Somebody else saved first.", None));
    let stale = serde_json::to_string(&workflow()).unwrap();
    assert_eq!(stub.svc(&EDIT).stdin(&stale).run().code, 3);
}

#[test]
fn what_is_no_workflow_never_leaves_the_machine() {
    let stub = Stub::new();
    insta::assert_snapshot!("workflow_typo", stub.svc(&EDIT).stdin(r#"{ "state": [] }"#).run());
    let wrong = [&EDIT[..], &["--move-items", "Review"]].concat();
    assert_eq!(stub.svc(&wrong).stdin("{}").run().code, 2);
    assert!(stub.seen().is_empty());
}

//! `svc label`.

use axum::http::StatusCode;
use serde_json::json;
use svc_api::tracker::Label;

use crate::fixtures::{item, label};
use crate::stub::Stub;

fn stub() -> Stub {
    let stub = Stub::new();
    let loose = Label { description: String::new(), items: 1, version: 0, ..label("serach") };
    stub.on("GET /orgs/demo/projects/PRJ/labels", &[label("Bug"), label("search"), loose]);
    for name in ["Bug", "serach"] {
        stub.on(&format!("PATCH /orgs/demo/projects/PRJ/labels/{name}"), &label("search"));
    }
    stub
}

#[test]
fn labels_are_listed_with_how_many_items_carry_them() {
    insta::assert_snapshot!("label_list", stub().svc(&["label", "list", "-p", "PRJ"]).run());
}

#[test]
fn create_sends_what_was_given() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/projects/PRJ/labels", &label("search"));
    let args = ["label", "create", "search", "-p", "PRJ"];
    assert_eq!(stub.svc(&args).run().code, 0);
    assert_eq!(stub.last_body(), json!({ "name": "search", "description": "" }));
    let more = ["--color", "#0ea5e9", "--description", "Finding things"];
    assert_eq!(stub.svc(&[&args[..], &more].concat()).run().code, 0);
    let sent = json!({ "name": "search", "color": "#0ea5e9", "description": "Finding things" });
    assert_eq!(stub.last_body(), sent);
}

#[test]
fn a_label_is_changed_under_the_version_that_was_read() {
    let stub = stub();
    for (args, sent) in [
        (&["bug", "--name", "defect"][..], json!({ "version": 2, "name": "defect", "merge": false })),
        (&["bug", "--color", "#112233"], json!({ "version": 2, "color": "#112233", "merge": false })),
        (&["serach", "--name", "look"], json!({ "version": 0, "name": "look", "merge": false })),
    ] {
        stub.svc(&[&["label", "edit", "-p", "PRJ"], args].concat()).run().exits(0);
        assert_eq!(stub.last_body(), sent, "{args:?}");
    }
    assert_eq!(stub.svc(&["label", "edit", "bug", "-p", "PRJ"]).run().code, 2, "nothing to change");
}

#[test]
fn merging_asks_first() {
    let stub = stub();
    let merge = ["label", "edit", "serach", "-p", "PRJ", "--name", "search", "--merge"];
    insta::assert_snapshot!("label_merge_unasked", stub.svc(&merge).run());
    assert_eq!(stub.calls().len(), 1, "nothing is changed unasked");
    assert_eq!(stub.svc(&[&merge[..], &["--yes"]].concat()).run().code, 0);
    assert_eq!(stub.last_body(), json!({ "version": 0, "name": "search", "merge": true }));
}

#[test]
fn deleting_asks_first_and_an_unknown_label_is_told_the_others() {
    let stub = stub();
    stub.answer("DELETE /orgs/demo/projects/PRJ/labels/Bug", StatusCode::NO_CONTENT, &[], String::new());
    assert_eq!(stub.svc(&["label", "delete", "bug", "-p", "PRJ"]).run().code, 2, "unasked");
    assert_eq!(stub.svc(&["label", "delete", "bug", "-p", "PRJ", "--yes"]).run().code, 0);
    let unknown = stub.svc(&["label", "delete", "bugs", "-p", "PRJ", "--yes"]).run().exits(4);
    assert!(unknown.stderr.contains("choose from: Bug, search, serach"), "{unknown}");
}

#[test]
fn a_label_that_nobody_defined_is_warned_of_when_it_is_given() {
    let stub = stub();
    stub.on("GET /orgs/demo/items/PRJ-1", &item("PRJ-1", "T"));
    stub.on("PATCH /orgs/demo/items/PRJ-1", &item("PRJ-1", "T"));
    stub.on("POST /orgs/demo/projects/PRJ/items", &item("PRJ-1", "T"));
    let create = ["item", "create", "-p", "PRJ", "--type", "bug", "--title", "T", "--labels", "serach"];
    for args in [&["item", "update", "PRJ-1", "--labels", "+serach,-x"][..], &create] {
        let ran = stub.svc(args).run().exits(0);
        assert!(ran.stderr.contains("the label serach is not defined; did you mean \"search\"?"), "{ran}");
        assert!(ran.stderr.contains("to define it, use `svc label create serach -p PRJ`"), "{ran}");
    }
    let ran = stub.svc(&["item", "update", "PRJ-1", "--labels", "Search"]).run();
    assert!(!ran.stderr.contains("defined"), "{ran}");
}

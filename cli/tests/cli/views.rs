//! `svc view`, and lists of a view's items.

use axum::http::StatusCode;
use serde_json::json;
use svc_api::tracker::{Item, SavedView};

use crate::fixtures::{ada, item, label, page, problem, workflow};
use crate::stub::Stub;

fn view(id: &str, name: &str, shared: bool) -> SavedView {
    SavedView {
        id: id.into(),
        version: 4,
        name: name.into(),
        shared,
        filter: "type:bug".into(),
        q: None,
        sort: Some("-priority".into()),
        group: None,
        layout: None,
        created_by: ada(),
        can_edit: !shared,
    }
}

fn stub() -> Stub {
    let stub = Stub::new();
    let words = SavedView { q: Some("crash".into()), filter: String::new(), ..view("v3", "Crashes", true) };
    let views = vec![view("v1", "Bugs", false), view("v2", "bugs", true), words];
    stub.on("GET /orgs/demo/projects/PRJ/views", &views);
    stub.on("POST /orgs/demo/projects/PRJ/views", &view("v4", "New", false));
    stub.on("PATCH /orgs/demo/projects/PRJ/views/v3", &view("v3", "Crashes", true));
    stub
}

#[test]
fn views_are_listed_and_seen() {
    let stub = stub();
    insta::assert_snapshot!("view_list", stub.svc(&["view", "list", "-p", "PRJ"]).run());
    insta::assert_snapshot!("view_view", stub.svc(&["view", "view", "crashes", "-p", "PRJ"]).run());
}

#[test]
fn create_and_edit_send_what_was_asked() {
    let stub = stub();
    let create = [
        "view",
        "create",
        "New",
        "-p",
        "PRJ",
        "--filter",
        "type:bug -label:ui",
        "--sort",
        "-due",
        "--shared",
    ];
    assert_eq!(stub.svc(&create).run().code, 0);
    let sent = json!({"name": "New", "shared": true, "filter": "type:bug -label:ui", "sort": "-due"});
    assert_eq!(stub.last_body(), sent);
    for (args, sent) in [
        (["--query", ""], json!({"version": 4, "q": null})),
        (["--filter", "-type:bug"], json!({"version": 4, "filter": "-type:bug"})),
        (["--shared", "false"], json!({"version": 4, "shared": false})),
    ] {
        stub.svc(&[&["view", "edit", "Crashes", "-p", "PRJ"], &args[..]].concat()).run().exits(0);
        assert_eq!(stub.last_body(), sent, "{args:?}");
    }
    assert_eq!(stub.svc(&["view", "edit", "Crashes", "-p", "PRJ"]).run().code, 2, "nothing to change");
}

#[test]
fn deleting_asks_first_and_means_your_own_before_a_shared_one() {
    let stub = stub();
    stub.answer("DELETE /orgs/demo/projects/PRJ/views/v1", StatusCode::NO_CONTENT, &[], String::new());
    assert_eq!(stub.svc(&["view", "delete", "BUGS", "-p", "PRJ"]).run().code, 2, "unasked");
    assert_eq!(stub.svc(&["view", "delete", "BUGS", "-p", "PRJ", "--yes"]).run().code, 0);
    assert_eq!(stub.calls().pop().unwrap(), "DELETE /orgs/demo/projects/PRJ/views/v1");
}

#[test]
fn the_items_of_a_view_are_listed_and_narrowed() {
    let stub = stub();
    stub.on("GET /orgs/demo/projects/PRJ/items", &page(vec![item("PRJ-1", "One")]));
    let list = ["item", "list", "-p", "PRJ", "--view", "Bugs"];
    assert_eq!(stub.svc(&list).run().code, 0);
    let asked = stub.calls().pop().unwrap();
    assert!(asked.contains("filter=type%3Abug&") && asked.contains("sort=-priority"), "{asked}");
    let more = ["--filter", "priority:high", "--sort", "key"];
    assert_eq!(stub.svc(&[&list[..], &more].concat()).run().code, 0);
    let asked = stub.calls().pop().unwrap();
    assert!(asked.contains("filter=type%3Abug+priority%3Ahigh") && asked.contains("sort=key"), "{asked}");
    stub.svc(&["item", "list", "-p", "PRJ", "--view", "Nothing"]).run().exits(4);
}

/// A filter that names nothing was saved without a word, and its list was empty for ever.
#[test]
fn a_view_is_not_saved_with_a_state_that_there_is_not() {
    let stub = stub();
    stub.on("GET /orgs/demo/projects/PRJ/workflow", &workflow());
    stub.on("GET /orgs/demo/projects/PRJ/labels", &[label("search")]);
    stub.on("GET /orgs/demo/projects/PRJ/milestones", &json!([]));
    let create = |filter| stub.svc(&["view", "create", "New", "-p", "PRJ", "--filter", filter]).run();
    let edit = |filter| stub.svc(&["view", "edit", "Crashes", "-p", "PRJ", "--filter", filter]).run();
    for refused in [create("state:\"In reveiw\""), edit("type:bug -state:done")] {
        assert_eq!(refused.code, 2, "{refused}");
        assert!(refused.stderr.contains("names a state that does not exist in PRJ"), "{refused}");
        assert!(refused.stderr.contains("The states are Backlog, In review, Closed."), "{refused}");
    }
    assert!(stub.seen().iter().all(|seen| seen.body.is_null()), "nothing was sent");
    let warned = create("label:serach milestone:\"First beta\" state:active");
    assert_eq!(warned.code, 0, "{warned}");
    for said in ["No item has the label \"serach\". Did you mean \"search\"?", "no milestone \"First beta\""]
    {
        assert!(warned.stderr.contains(said), "{said}: {warned}");
    }
}

#[test]
fn an_empty_list_says_that_its_view_is_the_cause() {
    let stub = Stub::new();
    let stale = SavedView { filter: "label:gone".into(), ..view("v1", "Old bugs", false) };
    let theirs = SavedView { filter: "state:Gone".into(), ..view("v2", "Theirs", true) };
    stub.on("GET /orgs/demo/projects/PRJ/views", &vec![stale, theirs]);
    stub.on("GET /orgs/demo/projects/PRJ/labels", &[label("search")]);
    stub.on("GET /orgs/demo/projects/PRJ/workflow", &workflow());
    let items = "GET /orgs/demo/projects/PRJ/items";
    stub.on(items, &page(Vec::<Item>::new()));
    let list = |name| stub.svc(&["item", "list", "-p", "PRJ", "--view", name]).run();
    insta::assert_snapshot!("view_of_nothing", list("Old bugs"));
    let shown = stub.svc(&["view", "view", "Old bugs", "-p", "PRJ"]).run();
    assert!(shown.code == 0 && shown.stderr.contains("No item has the label \"gone\""), "{shown}");
    let mut refused = problem(422, "validation-failed", "Some fields are not valid.", None);
    refused.errors.insert("filter".into(), vec!["`state:Gone`: There is no state `Gone`.".into()]);
    stub.forget(items).refuse(items, &refused);
    let ran = list("Theirs");
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("the view \"Theirs\" cannot be listed"), "{ran}");
    assert!(ran.stderr.contains("ask Ada to change its filter"), "{ran}");
}

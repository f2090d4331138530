//! Words and options that people try first, because another command or program has them.

use serde_json::json;
use svc_api::tracker::Item;

use crate::fixtures::{item, label};
use crate::stub::Stub;

#[test]
fn a_verb_of_another_noun_is_understood() {
    let stub = Stub::new();
    for words in [
        &["comment", "create"][..],
        &["comment", "add"],
        &["attachment", "upload"],
        &["attachment", "download"],
        &["wiki", "history"],
        &["agent", "add"],
    ] {
        let ran = stub.bare(&[words, &["--help"]].concat()).run();
        assert_eq!(ran.code, 0, "{ran}");
    }
}

#[test]
fn a_name_is_taken_as_an_argument_and_as_an_option() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/projects/PRJ/labels", &label("search"));
    for name in [&["search"][..], &["--name", "search"]] {
        let ran = stub.svc(&[&["label", "create", "-p", "PRJ"], name].concat()).run();
        assert_eq!(ran.code, 0, "{ran}");
        assert_eq!(stub.last_body()["name"], "search");
    }
    assert_eq!(stub.svc(&["label", "create", "a", "--name", "b", "-p", "PRJ"]).run().code, 2);
    assert_eq!(stub.svc(&["label", "create", "-p", "PRJ"]).run().code, 2);
}

#[test]
fn a_text_is_taken_as_an_option_and_from_stdin() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/projects/PRJ/items", &item("PRJ-1", "T"));
    let create = ["item", "create", "-p", "PRJ", "--type", "bug", "--title", "T"];
    for (text, stdin) in
        [(&["-m", "It does."][..], ""), (&["--body", "It does."], ""), (&["--body-file", "-"], "It does.")]
    {
        let ran = stub.svc(&[&create[..], text].concat()).stdin(stdin).run();
        assert_eq!(ran.code, 0, "{ran}");
        assert_eq!(stub.last_body()["body"], "It does.", "{text:?}");
    }
}

#[test]
fn a_request_without_a_method_is_a_get() {
    let stub = Stub::new();
    stub.on("GET /me", &json!({ "id": "u1" }));
    let ran = stub.svc(&["api", "/me", "--jq", ".id"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "u1\n"), "{ran}");
    let method = stub.svc(&["api", "DELETE"]).run();
    assert!(method.code == 2 && method.stderr.contains("is not a path"), "{method}");
}

#[test]
fn who_wants_an_item_closed_is_told_how() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/items/PRJ-1", &Item { state: "Backlog".into(), ..item("PRJ-1", "T") });
    let state = |name: &str, group: &str| json!({ "name": name, "group": group });
    let workflow = json!({
        "version": 1,
        "states": [state("Backlog", "backlog"), state("Doing", "active"), state("Closed", "closed")],
        "moves": [{ "from": "Backlog", "to": "Doing" }, { "from": "Doing", "to": "Closed" }],
    });
    stub.on("GET /orgs/demo/projects/PRJ/workflow", &workflow);
    let ran = stub.svc(&["item", "close", "PRJ-1"]).run();
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("closed states of PRJ: Closed"), "{ran}");
    assert!(ran.stderr.contains("svc item move PRJ-1 --state 'Doing'"), "{ran}");
}

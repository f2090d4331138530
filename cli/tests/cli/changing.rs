//! `svc item bulk`, `history`, `subtasks` and `watch`.

use serde_json::json;
use svc_api::tracker::{BulkOutcome, BulkResult, HistoryEntry, Item, TextDiff};

use crate::fixtures::{ada, at, body_changed, fresh_item, item, page, problem, robin};
use crate::stub::Stub;

const BULK: &str = "POST /orgs/demo/projects/PRJ/items/bulk";

fn changed(key: &str) -> BulkOutcome {
    BulkOutcome { key: key.into(), item: Some(Item { version: 8, ..fresh_item(key, "x") }), problem: None }
}

#[test]
fn many_items_change_under_the_versions_that_were_read() {
    let stub = Stub::new();
    for key in ["PRJ-1", "PRJ-2"] {
        stub.on(&format!("GET /orgs/demo/items/{key}"), &fresh_item(key, "x"));
    }
    stub.on(BULK, &BulkResult { results: vec![changed("PRJ-1"), changed("PRJ-2")] });
    let args = ["item", "bulk", "prj-1", "PRJ-2", "PRJ-1", "--labels", "+ci,-flaky", "--assignee", "none"];
    insta::assert_snapshot!("item_bulk", stub.svc(&args).run());
    let items = json!([{ "key": "PRJ-1", "version": 7 }, { "key": "PRJ-2", "version": 7 }]);
    let change = json!({ "addLabels": ["ci"], "removeLabels": ["flaky"], "assignee": null });
    assert_eq!(stub.last_body(), json!({ "items": items, "change": change }));
    assert_eq!(stub.svc(&["item", "bulk", "PRJ-1", "PRJ-2", "--state", "Closed"]).run().code, 0);
    assert_eq!(stub.last_body(), json!({ "items": items, "state": "Closed" }));
}

#[test]
fn many_items_are_those_that_match_and_go_out_by_the_hundred() {
    let stub = Stub::new();
    let items: Vec<Item> = (1..=150).map(|number| fresh_item(&format!("PRJ-{number}"), "x")).collect();
    stub.on("GET /orgs/demo/projects/PRJ/items", &page(items));
    stub.on(BULK, &BulkResult { results: vec![changed("PRJ-1")] });
    let args = ["item", "bulk", "-p", "PRJ", "--filter", "-label:done", "--priority", "low", "--json"];
    let ran = stub.svc(&args).run().exits(0);
    assert_eq!(ran.json()["results"].as_array().unwrap().len(), 2, "the answers of both requests");
    let sent: Vec<usize> =
        stub.seen().iter().filter_map(|seen| Some(seen.body["items"].as_array()?.len())).collect();
    assert_eq!(sent, [100, 50]);
}

#[test]
fn an_item_that_was_left_is_named_and_fails_the_command() {
    let stub = Stub::new();
    stub.on(
        "GET /orgs/demo/projects/PRJ/items",
        &page(vec![fresh_item("PRJ-1", "x"), fresh_item("PRJ-2", "x")]),
    );
    let stale = problem(409, "stale-version", "Somebody else saved first.", None);
    let left = BulkOutcome { key: "PRJ-2".into(), item: None, problem: Some(stale) };
    stub.on(BULK, &BulkResult { results: vec![changed("PRJ-1"), left] });
    let args = ["item", "bulk", "-p", "PRJ", "-f", "state:backlog", "--state", "Closed"];
    let ran = stub.svc(&args).run().exits(3);
    insta::assert_snapshot!("item_bulk_left", ran);
}

/// Where nothing was to be done, "changed" was a lie.
#[test]
fn items_that_were_so_already_are_told_from_those_that_changed() {
    let stub = Stub::new();
    for key in ["PRJ-1", "PRJ-2"] {
        stub.on(&format!("GET /orgs/demo/items/{key}"), &fresh_item(key, "x"));
    }
    let same = BulkOutcome { key: "PRJ-2".into(), item: Some(fresh_item("PRJ-2", "x")), problem: None };
    stub.on(BULK, &BulkResult { results: vec![changed("PRJ-1"), same] });
    let ran = stub.svc(&["item", "bulk", "-p", "prj", "PRJ-1", "PRJ-2", "--priority", "low"]).run().exits(0);
    insta::assert_snapshot!("item_bulk_unchanged", ran);
}

#[test]
fn a_bulk_change_that_is_cut_off_tells_what_it_did() {
    let stub = Stub::new();
    let items: Vec<Item> = (1..=150).map(|number| fresh_item(&format!("PRJ-{number}"), "x")).collect();
    stub.on("GET /orgs/demo/projects/PRJ/items", &page(items));
    stub.on(BULK, &BulkResult { results: vec![changed("PRJ-1")] });
    stub.refuse(BULK, &problem(409, "project-archived", "The project is archived and read-only.", None));
    let ran =
        stub.svc(&["item", "bulk", "-p", "PRJ", "--filter", "type:bug", "--priority", "low"]).run().exits(3);
    assert!(ran.stdout.contains("PRJ-1") && ran.stdout.contains("changed"), "{ran}");
    assert!(ran.stderr.contains("archived"), "{ran}");
}

#[test]
fn a_bulk_change_says_which_items_and_what() {
    let stub = Stub::new();
    for args in [
        &["PRJ-1"][..],
        &["--priority", "low"],
        &["--filter", "state:active", "--priority", "low"],
        &["-p", "PRJ", "--priority", "low"],
        &["PRJ-1", "--state", "Closed", "--priority", "low"],
        &["PRJ-1", "-p", "WEB", "--priority", "low"],
        &["PRJ-1", "WEB-1", "--priority", "low"],
    ] {
        stub.svc(&[&["item", "bulk"], args].concat()).run().exits(2);
    }
    assert_eq!(stub.calls(), ["GET /orgs/demo/projects"], "there may be only one");
}

#[test]
fn a_history_shows_what_changed_of_the_description() {
    let stub = Stub::new();
    let entry = HistoryEntry { id: "000000000000001-1".into(), ..body_changed() };
    stub.on("GET /orgs/demo/items/PRJ-12/history", &page(vec![entry]));
    let unified = "@@ -1,1 +1,1 @@\n-Find\u{1b}[2J it\n+Find them\n".to_owned();
    let diff = TextDiff { hunks: Vec::new(), unified, truncated: true };
    stub.on("GET /orgs/demo/items/PRJ-12/history/000000000000001-1/diff", &diff);
    insta::assert_snapshot!("item_history_diff", stub.svc(&["item", "history", "PRJ-12", "--diff"]).run());
}

#[test]
fn a_history_says_who_changed_what_and_when() {
    let stub = Stub::new();
    let entry =
        |actor, action: &str, field: Option<&str>, from: Option<&str>, to: Option<&str>| HistoryEntry {
            id: format!("000000000000001-{action}"),
            has_diff: field == Some("body"),
            at: at("10:00:00"),
            actor,
            action: action.into(),
            field: field.map(str::to_owned),
            from: from.map(str::to_owned),
            to: to.map(str::to_owned),
            run_id: (action == "runFinished").then(|| "run-1".to_owned()),
        };
    let entries = vec![
        entry(ada(), "created", None, None, None),
        entry(ada(), "changed", Some("title"), Some("Serach"), Some("Search")),
        entry(ada(), "changed", Some("estimate"), None, Some("3")),
        entry(ada(), "changed", Some("assignee"), Some("Ada"), None),
        entry(robin(), "runFinished", None, None, Some("succeeded")),
    ];
    stub.on("GET /orgs/demo/items/PRJ-12/history", &page(entries));
    insta::assert_snapshot!("item_history", stub.svc(&["item", "history", "PRJ-12"]).run());
    assert_eq!(
        stub.svc(&["item", "history", "PRJ-12", "--limit", "2", "--json"]).run().json()[1]["field"],
        "title"
    );
}

#[test]
fn what_belongs_to_an_item_is_listed() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/items/PRJ-1/subtasks", &page(vec![item("PRJ-12", "Search forgets its filter")]));
    let ran = stub.svc(&["item", "subtasks", "PRJ-1"]).run();
    assert!(ran.stdout.contains("PRJ-12"), "{ran}");
}

#[test]
fn an_item_is_watched_and_no_longer() {
    let stub = Stub::new();
    stub.on("PUT /orgs/demo/items/PRJ-12/watch", &json!(null));
    stub.on("DELETE /orgs/demo/items/PRJ-12/watch", &json!(null));
    stub.on("GET /orgs/demo/items/PRJ-12/watchers", &[ada()]);
    for verb in ["watch", "unwatch"] {
        let ran = stub.svc(&["item", verb, "PRJ-12"]).run();
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{ran}");
    }
    assert_eq!(stub.calls()[1], "DELETE /orgs/demo/items/PRJ-12/watch");
    assert!(stub.svc(&["item", "watchers", "PRJ-12"]).run().stdout.contains("Ada"));
}

const ITEM: &str = "/orgs/demo/items/PRJ-12";

/// An item that somebody else saves between reading and changing it, once.
fn saved_meanwhile(now: &Item) -> Stub {
    let stub = Stub::new();
    stub.on(&format!("GET {ITEM}"), &fresh_item("PRJ-12", "x")).on(&format!("GET {ITEM}"), now);
    let stale = problem(409, "stale-version", "Somebody else saved first.", None);
    for call in [format!("PATCH {ITEM}"), format!("POST {ITEM}/move")] {
        stub.refuse(&call, &stale).on(&call, now);
    }
    stub
}

#[test]
fn what_somebody_else_changed_elsewhere_is_no_conflict() {
    let labelled = Item { version: 8, labels: vec!["theirs".into()], ..fresh_item("PRJ-12", "x") };
    for args in
        [&["--labels", "+mine"][..], &["--labels", "-mine"], &["--priority", "low"], &["--sprint", "none"]]
    {
        let stub = saved_meanwhile(&labelled);
        stub.svc(&[&["item", "update", "PRJ-12"], args].concat()).run().exits(0);
        assert_eq!(stub.seen().iter().rev().find(|seen| !seen.body.is_null()).unwrap().body["version"], 8);
    }
    for args in [&["--labels", "mine"][..], &["--labels", "+mine", "--if-version", "7"]] {
        let stub = saved_meanwhile(&labelled);
        let ran = stub.svc(&[&["item", "update", "PRJ-12"], args].concat()).run();
        assert_eq!(ran.code, 3, "labels that somebody else set are not replaced: {ran}");
    }
}

#[test]
fn many_items_move_into_a_sprint() {
    let stub = Stub::new();
    for key in ["PRJ-1", "PRJ-2"] {
        stub.on(&format!("GET /orgs/demo/items/{key}"), &fresh_item(key, "x"));
    }
    stub.on("POST /orgs/demo/items/PRJ-1/move", &fresh_item("PRJ-1", "x"));
    let done = problem(409, "sprint-completed", "The sprint is completed.", None);
    stub.refuse("POST /orgs/demo/items/PRJ-2/move", &done);
    let id = "01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d";
    let ran =
        stub.svc(&["item", "bulk", "PRJ-1", "PRJ-2", "--sprint", id, "--priority", "low"]).run().exits(3);
    assert!(ran.stdout.contains("changed") && ran.stdout.contains("The sprint is completed."), "{ran}");
    let sent = json!({ "version": 7, "sprint": id, "change": { "priority": "low" } });
    assert_eq!(stub.last_body(), sent);
    assert_eq!(stub.svc(&["item", "bulk", "PRJ-1", "--sprint", "none"]).run().code, 0);
    assert_eq!(stub.last_body(), json!({ "version": 7, "sprint": null }));
}

#[test]
fn a_change_of_sprint_or_milestone_shows_its_name() {
    let id = "01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d";
    let stub = Stub::new();
    let planned = Item { sprint: Some(id.into()), milestone: Some("m1".into()), ..fresh_item("PRJ-12", "x") };
    stub.on(&format!("GET {ITEM}"), &planned).on(&format!("POST {ITEM}/move"), &planned);
    stub.on(&format!("PATCH {ITEM}"), &planned);
    let ran = stub.svc(&["item", "update", "PRJ-12", "--sprint", id]).run();
    assert!(ran.code == 0 && ran.stdout.contains("SPRINT") && ran.stdout.contains(id), "{ran}");
    let ran = stub.svc(&["item", "update", "PRJ-12", "--milestone", "m1"]).run();
    assert!(ran.code == 0 && ran.stdout.contains("MILESTONE") && ran.stdout.contains("m1"), "{ran}");
}

#[test]
fn a_table_and_json_at_once_are_refused() {
    let stub = Stub::new();
    for more in [&["--json"][..], &["--jq", ".[]"], &["--format", "{{ key }}"]] {
        let ran = stub.svc(&[&["item", "list", "-p", "PRJ", "--csv"], more].concat()).run();
        assert!(ran.code == 2 && ran.stderr.contains("--csv cannot print JSON"), "{ran}");
    }
    assert!(stub.calls().is_empty(), "{:?}", stub.calls());
}

/// Reading a key by a filter counted as reading the description, which was then overwritten.
#[test]
fn what_a_filter_leaves_out_was_not_read() {
    let put = ["item", "update", "PRJ-12", "--body-file", "-"];
    for (more, read) in [
        (&["--jq", ".key"][..], false),
        (&["--format", "{{ key }}"], false),
        (&["--jq", ".body"], true),
        (&["--jq", "."], true),
        (&["--json"], true),
        (&[], true),
    ] {
        let stub = Stub::new();
        let item = Item { body: "It \"does\".\n\nAlways.\n".into(), ..fresh_item("PRJ-12", "x") };
        stub.on(&format!("GET {ITEM}"), &item).on(&format!("PATCH {ITEM}"), &item);
        assert_eq!(stub.svc(&[&["item", "view", "PRJ-12"], more].concat()).run().code, 0);
        let ran = stub.svc(&put).stdin("Mine").run();
        assert_eq!(ran.code, if read { 0 } else { 3 }, "{more:?}: {ran}");
    }
}

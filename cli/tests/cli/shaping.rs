//! `svc api`, `--jq` and `--format`, and what spans projects: `svc status` and `svc browse`.

use serde_json::json;
use svc_api::factory::RunStatus;

use crate::fixtures::{comment, fresh_item, item, me, page, project, robin, run};
use crate::stub::Stub;

const ITEMS: &str = "GET /orgs/demo/projects/PRJ/items";

#[test]
fn the_json_of_any_command_is_filtered_or_filled_into_a_template() {
    let stub = Stub::new();
    stub.on(ITEMS, &page(vec![item("PRJ-12", "Search"), fresh_item("PRJ-13", "Find")]));
    let list = |more: &[&str]| stub.svc(&[&["item", "list", "-p", "PRJ"], more].concat()).run();
    assert_eq!(list(&["--jq", ".[].key"]).stdout, "PRJ-12\nPRJ-13\n");
    assert_eq!(list(&["--format", "{{ key }}: {{ title }}"]).stdout, "PRJ-12: Search\nPRJ-13: Find\n");
    let wrong = list(&["--jq", ".["]);
    assert_eq!(wrong.code, 2, "{wrong}");
    assert!(
        wrong.stderr.contains("not a jq filter")
            && wrong.stderr.contains("it ends where a closing bracket is missing"),
        "{wrong}"
    );
    let unfit = list(&["--jq", ".key"]);
    assert_eq!((unfit.code, unfit.stdout.as_str()), (2, ""), "{unfit}");
    assert!(unfit.stderr.contains("cannot index an array of 2 with \"key\""), "{unfit}");
    assert!(!unfit.stderr.contains("Search"), "an error is not the place for the data: {unfit}");
}

#[test]
fn any_request_is_sent_with_its_fields() {
    let stub = Stub::new();
    stub.on("GET /me", &me()).on("PATCH /orgs/demo/items/PRJ-12", &item("PRJ-12", "x"));
    let ran = stub.svc(&["api", "get", "/me", "-f", "a=b c"]).run();
    assert_eq!((ran.code, stub.calls().pop().unwrap().as_str()), (0, "GET /me?a=b+c"), "{ran}");
    let patch = ["api", "PATCH", "/api/v1/orgs/{org}/items/PRJ-12", "-F", "version=7", "-f", "title=New"];
    assert_eq!(stub.svc(&patch).run().code, 0);
    assert_eq!(stub.last_body(), json!({ "version": 7, "title": "New" }));
    let sent = stub.seen().len();
    for wrong in [
        &["api", "GET", "https://evil.example/me"][..],
        &["api", "GET", "//evil.example/me"],
        &["api", "BREW", "/me"],
        &["api", "POST", "/me/tokens", "-F", "a=b"],
    ] {
        assert_eq!(stub.svc(wrong).run().code, 2, "{wrong:?}");
    }
    assert_eq!(stub.seen().len(), sent, "nothing was sent");
}

#[test]
fn every_page_of_a_list_is_read() {
    let stub = Stub::new();
    let mut first = page(vec![item("PRJ-1", "One")]);
    first.total_count = 2;
    let mut second = page(vec![item("PRJ-2", "Two")]);
    second.total_count = 2;
    stub.on(ITEMS, &first).on(ITEMS, &second);
    let all =
        ["api", "GET", "/orgs/{org}/projects/PRJ/items", "--paginate", "--jq", "map(.key) | join(\",\")"];
    assert_eq!(stub.svc(&all).run().stdout, "PRJ-1,PRJ-2\n");
    assert!(stub.calls()[1].contains("page=2"), "{:?}", stub.calls());
}

#[test]
fn status_shows_what_waits_across_projects() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects", &[project("PRJ", "Search", false), project("WEB", "Web", false)]);
    stub.on(ITEMS, &page(vec![item("PRJ-12", "Search forgets")]));
    stub.on("GET /orgs/demo/projects/WEB/items", &page(vec![fresh_item("WEB-1", "Home page")]));
    stub.on("GET /me", &me());
    stub.on("GET /orgs/demo/runs", &page(vec![run("r1", RunStatus::Running), run("r2", RunStatus::Failed)]));
    let ran = stub.svc(&["status"]).run();
    assert_eq!(ran.code, 0, "{ran}");
    for part in ["Assigned to you", "PRJ-12", "WEB-1", "Claimed by you", "Your runs", "r1"] {
        assert!(ran.stdout.contains(part), "{part}: {ran}");
    }
    assert!(!ran.stdout.contains("r2"), "it has ended: {ran}");
    assert_eq!(stub.svc(&["item", "list", "--mine", "--jq", ".[].key"]).run().stdout, "PRJ-12\nWEB-1\n");
}

#[test]
fn addresses_are_printed_where_no_browser_can_open() {
    let stub = Stub::new();
    for (what, path) in [("prj-12", "/o/demo/p/PRJ/items/PRJ-12"), ("PRJ", "/o/demo/p/PRJ")] {
        assert_eq!(stub.svc(&["browse", what]).run().stdout, format!("http://INSTANCE{path}\n"));
    }
    assert!(stub.seen().is_empty());
}

#[test]
fn a_reaction_is_given_and_taken_back() {
    let stub = Stub::new();
    let reactions = "/orgs/demo/items/PRJ-12/comments/c1/reactions";
    stub.on(&format!("PUT {reactions}"), &comment("c1", robin(), "x"));
    stub.on(&format!("DELETE {reactions}/%F0%9F%91%8D"), &());
    let react = ["comment", "react", "PRJ-12", "c1", "👍"];
    assert_eq!(stub.svc(&react).run().code, 0);
    assert_eq!(stub.last_body(), json!({ "emoji": "👍" }));
    assert_eq!(stub.svc(&[&react[..], &["--remove"]].concat()).run().code, 0);
}

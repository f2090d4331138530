//! `svc wiki`.

use serde_json::json;
use svc_api::wiki::{WikiEntry, WikiPage};

use crate::fixtures::{ada, at, problem};
use crate::stub::Stub;

const PAGE: &str = "/orgs/demo/projects/PRJ/wiki/pages/Factory/Fix%20a%20bug";

fn page(version: u64) -> WikiPage {
    WikiPage {
        id: "page-1".into(),
        path: "Factory/Fix a bug".into(),
        title: "Fix a bug".into(),
        body: "# Fix a bug\n\nReproduce it first.\n".into(),
        version,
        updated_by: ada(),
        updated_at: at("09:00:00"),
        can_edit: true,
    }
}

#[test]
fn tree_lists_pages() {
    let stub = Stub::new();
    let entry = |path: &str, version| WikiEntry {
        id: path.into(),
        path: path.into(),
        title: path.into(),
        version,
        updated_at: at("09:00:00"),
        position: 0,
    };
    stub.on("GET /orgs/demo/projects/PRJ/wiki", &[entry("Factory", 1), entry("Factory/Fix a bug", 12)]);
    insta::assert_snapshot!("wiki_tree", stub.svc(&["wiki", "tree", "-p", "PRJ"]).run());
    assert_eq!(stub.svc(&["wiki", "tree", "-p", "PRJ", "--json"]).run().json()[1]["version"], 12);
}

#[test]
fn get_prints_the_text_and_nothing_else() {
    let stub = Stub::new();
    stub.on(&format!("GET {PAGE}"), &page(3));
    let ran = stub.svc(&["wiki", "get", "PRJ", "Factory/Fix a bug"]).run();
    assert_eq!(ran.stdout, page(3).body);
    for path in ["Factory/../../secret", "Factory//x", "/", ""] {
        let ran = stub.svc(&["wiki", "get", "PRJ", path]).run();
        assert_eq!(ran.code, 2, "{ran}");
    }
    let asked = stub.calls().len();
    assert_eq!(asked, 1, "what is no path is not asked for");
    stub.on("GET /orgs/demo/projects/PRJ/wiki/pages/100%25/a%3Fb%23c/%C3%BC", &page(1));
    assert_eq!(stub.svc(&["wiki", "get", "prj", "100%/a?b#c/ü"]).run().code, 0);
}

#[test]
fn get_of_what_is_not_there_is_4_and_of_no_access_too() {
    let stub = Stub::new();
    stub.refuse(&format!("GET {PAGE}"), &problem(404, "not-found", "Not found.", None));
    let ran = stub.svc(&["wiki", "get", "PRJ", "Factory/Fix a bug"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (4, ""), "{ran}");
}

#[test]
fn an_empty_wiki_says_so_and_prints_nothing() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects/PRJ/wiki", &json!([]));
    let ran = stub.svc(&["wiki", "tree", "-p", "PRJ"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{ran}");
    assert!(ran.stderr.contains("no pages"), "{ran}");
    assert_eq!(stub.svc(&["wiki", "tree", "-p", "PRJ", "--json"]).run().json(), json!([]));
}

#[test]
fn put_writes_the_next_version_or_the_first() {
    let stub = Stub::new();
    stub.refuse(&format!("GET {PAGE}"), &problem(404, "not-found", "Not found.", None));
    stub.on(&format!("GET {PAGE}"), &page(3));
    stub.on(&format!("PUT {PAGE}"), &page(4));
    let put = ["wiki", "put", "PRJ", "Factory/Fix a bug", "--file", "-"];
    assert_eq!(stub.svc(&put).stdin("text").run().code, 0);
    assert_eq!(stub.last_body(), json!({ "body": "text" }));
    insta::assert_snapshot!("wiki_put", stub.svc(&put).stdin("text").run());
    assert_eq!(stub.last_body(), json!({ "version": 3, "body": "text" }));
}

#[test]
fn put_that_comes_too_late_is_a_conflict_and_changes_nothing() {
    let stub = Stub::new();
    stub.on(&format!("GET {PAGE}"), &page(3));
    let stale = problem(409, "stale-version", "Somebody else saved first.", None);
    stub.refuse(&format!("PUT {PAGE}"), &stale);
    let ran = stub.svc(&["wiki", "put", "PRJ", "Factory/Fix a bug", "--file", "-"]).stdin("text").run();
    assert_eq!(ran.code, 3, "{ran}");
    insta::assert_snapshot!("wiki_put_conflict", ran);
}

#[test]
fn put_reads_a_file_before_it_asks_for_anything() {
    let stub = Stub::new();
    let file = stub.home.path().join("page.md");
    let path = file.to_str().unwrap();
    let put = ["wiki", "put", "PRJ", "Factory/Fix a bug", "--file", path];
    assert_eq!(stub.svc(&put).run().code, 2, "there is no such file");
    std::fs::write(&file, b"caf\xe9").unwrap();
    let ran = stub.svc(&put).run();
    assert_eq!(ran.code, 2, "{ran}");
    assert!(stub.seen().is_empty());
    stub.on(&format!("GET {PAGE}"), &page(3));
    stub.on(&format!("PUT {PAGE}"), &page(4));
    std::fs::write(&file, "Öl\n").unwrap();
    assert_eq!(stub.svc(&[&put[..], &["--json"]].concat()).run().json()["version"], 4);
    assert_eq!(stub.last_body(), json!({ "version": 3, "body": "Öl\n" }));
}

#[test]
fn move_reads_the_version_and_names_the_new_path() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects/PRJ/wiki/pages/Guides/Old", &page(3));
    let moved = WikiPage { path: "Team/New".into(), ..page(4) };
    stub.on("POST /orgs/demo/projects/PRJ/wiki/move/Guides/Old", &moved);
    insta::assert_snapshot!("wiki_move", stub.svc(&["wiki", "move", "PRJ", "Guides/Old", "Team/New"]).run());
    assert_eq!(stub.last_body(), json!({ "version": 3, "to": "Team/New" }));
}

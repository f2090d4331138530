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
    assert_eq!(stub.svc(&["wiki", "get", "PRJ", "Factory/../../secret"]).run().code, 2);
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

//! `svc project export`.

use std::fs;

use axum::http::StatusCode;
use serde_json::json;

use crate::stub::Stub;

const EXPORT: &str = "GET /orgs/demo/projects/PRJ/export";
const LINES: &str = r##"{"kind":"project","name":"Search","source":"svc:demo/PRJ"}
{"kind":"person","id":"u1","name":"Ada"}
{"kind":"milestone","id":"m1","name":"Beta"}
{"kind":"item","id":"PRJ-1","key":"PRJ-1","title":"Find: \"words\"","body":"Text","state":"Backlog","type":"story","labels":["ui"],"author":"u1","milestone":"m1","createdAt":"2026-01-01T00:00:00Z"}
{"kind":"item","id":"../../PRJ-2","title":"Odd","state":"Backlog","createdAt":"2026-01-01T00:00:00Z"}
{"kind":"comment","id":"c1","item":"PRJ-1","author":"u1","body":"First","createdAt":"2026-01-02T00:00:00Z"}
{"kind":"comment","id":"c2","item":"PRJ-1","body":"Second","createdAt":"2026-01-03T00:00:00Z"}
{"kind":"link","from":"PRJ-1","to":"PRJ-2","relation":"blocks"}
{"kind":"attachment","id":"f1","item":"PRJ-1","name":"../a.txt","size":5}
{"kind":"later","id":"x"}
"##;

fn stub() -> Stub {
    let stub = Stub::new();
    stub.answer(EXPORT, StatusCode::OK, &[("content-type", "application/x-ndjson")], LINES.to_owned());
    stub.answer(
        "GET /orgs/demo/attachments/f1/content",
        StatusCode::OK,
        &[("content-type", "text/plain")],
        "bytes".to_owned(),
    );
    stub.on("GET /orgs/demo/projects/PRJ/wiki", &json!([]));
    stub
}

#[test]
fn records_go_to_stdout_or_into_a_directory_with_their_files() {
    let stub = stub();
    assert_eq!(stub.svc(&["project", "export", "PRJ"]).run().stdout, LINES);
    let home = tempfile::tempdir().unwrap();
    let to = home.path().join("backup");
    stub.svc(&["project", "export", "PRJ", "--output", to.to_str().unwrap()]).run().exits(0);
    assert_eq!(fs::read_to_string(to.join("PRJ.ndjson")).unwrap(), LINES);
    assert_eq!(fs::read_to_string(to.join("files/f1/a.txt")).unwrap(), "bytes");
    let again = stub.svc(&["project", "export", "PRJ", "--output", to.to_str().unwrap()]).run();
    assert!(again.code == 2 && again.stderr.contains("is not empty"), "{again}");
}

#[test]
fn markdown_is_a_file_for_each_item() {
    let stub = stub();
    let home = tempfile::tempdir().unwrap();
    let to = home.path().join("prj");
    stub.svc(&["project", "export", "PRJ", "--markdown", "--output", to.to_str().unwrap()]).run().exits(0);
    insta::assert_snapshot!("project_export_markdown", fs::read_to_string(to.join("PRJ-1.md")).unwrap());
    assert!(
        to.join("PRJ-2.md").exists() && to.join("files/f1/a.txt").exists(),
        "names stay in the directory"
    );
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    let refused = stub.svc(&["project", "export", "PRJ", "--markdown", "--output", "-"]).run();
    assert!(refused.code == 2 && refused.stderr.contains("need a directory"), "{refused}");
}

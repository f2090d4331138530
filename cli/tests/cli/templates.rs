//! `svc template`.

use axum::http::StatusCode;
use serde_json::json;
use svc_api::tracker::Template;

use crate::fixtures::template;
use crate::stub::Stub;

fn stub() -> Stub {
    let stub = Stub::new();
    let plain = Template { body: String::new(), priority: None, labels: vec![], ..template("t2", "Chore") };
    stub.on("GET /orgs/demo/projects/PRJ/templates", &[template("t1", "Bug report"), plain]);
    stub.on("PATCH /orgs/demo/projects/PRJ/templates/t1", &template("t1", "Bug report"));
    stub.on("POST /orgs/demo/projects/PRJ/templates", &template("t3", "Incident"));
    stub
}

#[test]
fn templates_are_listed_and_seen() {
    let stub = stub();
    insta::assert_snapshot!("template_list", stub.svc(&["template", "list", "-p", "PRJ"]).run());
    let view = ["template", "view", "bug REPORT", "-p", "PRJ"];
    insta::assert_snapshot!("template_view", stub.svc(&view).run());
    let body = stub.svc(&[&view[..], &["--body-only"]].concat()).run().stdout;
    assert_eq!(body, template("t1", "x").body, "as it can be edited and sent back");
}

#[test]
fn create_reads_the_description_from_a_file_or_stdin() {
    let stub = stub();
    let args = ["template", "create", "Incident", "-p", "PRJ", "--type", "bug", "--body-file", "-"];
    let more = ["--priority", "highest", "--labels", "ops,urgent"];
    stub.svc(&[&args[..], &more].concat()).stdin("## What happened\n").run().exits(0);
    let sent = json!({
        "name": "Incident", "type": "bug", "body": "## What happened\n", "priority": "highest",
        "labels": ["ops", "urgent"],
    });
    assert_eq!(stub.last_body(), sent);
    assert_eq!(stub.svc(&args[..5]).run().code, 2, "a template is for a type");
}

#[test]
fn edit_sends_only_what_was_asked_under_the_version_that_was_read() {
    let stub = stub();
    for (args, sent) in [
        (["--name", "Defect"], json!({ "version": 5, "name": "Defect" })),
        (["--priority", "none"], json!({ "version": 5, "priority": null })),
        (["--priority", "Low"], json!({ "version": 5, "priority": "low" })),
        (["--labels", ""], json!({ "version": 5, "labels": [] })),
        (["--labels", "bug, triage"], json!({ "version": 5, "labels": ["bug", "triage"] })),
        (["--type", "task"], json!({ "version": 5, "type": "task" })),
    ] {
        stub.svc(&[&["template", "edit", "Bug report", "-p", "PRJ"], &args[..]].concat()).run().exits(0);
        assert_eq!(stub.last_body(), sent, "{args:?}");
    }
    assert_eq!(stub.svc(&["template", "edit", "t1", "-p", "PRJ"]).run().code, 2, "nothing to change");
}

#[test]
fn deleting_asks_first() {
    let stub = stub();
    stub.answer("DELETE /orgs/demo/projects/PRJ/templates/t2", StatusCode::NO_CONTENT, &[], String::new());
    assert_eq!(stub.svc(&["template", "delete", "chore", "-p", "PRJ"]).run().code, 2, "unasked");
    assert_eq!(stub.svc(&["template", "delete", "chore", "-p", "PRJ", "--yes"]).run().code, 0);
    assert_eq!(stub.calls().pop().unwrap(), "DELETE /orgs/demo/projects/PRJ/templates/t2");
}

//! `svc import`.

use std::collections::HashSet;
use std::fs;

use axum::http::StatusCode;
use serde_json::{Value, json};
use svc_api::records::{ImportRecords, Imported, ImportedItem, RecordKind, SkippedRecord};
use svc_api::tracker::{AnnouncedAttachment, StateGroup, Upload, Workflow, WorkflowState};

use crate::fixtures::{at, attachment, page, problem};
use crate::stub::{Ran, Stub};

const IMPORT: &str = "POST /orgs/demo/projects/PRJ/import";

/// An instance with a project, which takes what comes.
fn stub() -> Stub {
    let stub = Stub::new();
    let states = vec![
        WorkflowState::new("New", StateGroup::Backlog),
        WorkflowState::new("In progress", StateGroup::Active),
        WorkflowState::new("Closed", StateGroup::Closed),
    ];
    stub.on("GET /orgs/demo/projects/PRJ/workflow", &Workflow { version: 1, states, moves: Vec::new() });
    stub.on(IMPORT, &Imported::default());
    stub
}

fn file(stub: &Stub, name: &str, text: &str) -> String {
    let path = stub.home.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn import(stub: &Stub, args: &[&str]) -> Ran {
    let args: Vec<&str> =
        ["import"].iter().chain(args).copied().chain(["-p", "prj", "--timezone", "UTC"]).collect();
    stub.svc(&args).run()
}

fn batches(stub: &Stub) -> Vec<ImportRecords> {
    let sent = stub.seen().into_iter().filter(|seen| seen.call == IMPORT);
    sent.map(|seen| serde_json::from_value(seen.body).unwrap()).collect()
}

fn records(stub: &Stub) -> Vec<Value> {
    batches(stub).into_iter().flat_map(|batch| batch.records).map(|record| json!(record)).collect()
}

const ISSUES: &str = r#"[
    {"number": 7, "title": "Search", "body": "It fails", "state": "closed", "state_reason": "not_planned",
     "user": {"login": "ada"}, "assignees": [{"login": "eve"}], "labels": [{"name": "bug", "color": "d73a4a"}],
     "milestone": {"number": 2, "title": "1.0"}, "created_at": "2026-09-27T09:00:00Z", "type": {"name": "Bug"},
     "parent_issue_url": "https://api.github.com/repos/acme/shop/issues/9",
     "html_url": "https://github.com/acme/shop/issues/7"},
    {"number": 8, "title": "A change", "state": "open", "pull_request": {}},
    {"number": 9, "title": "Parent", "state": "open", "created_at": "2026-09-27T09:00:00Z"},
    {"id": 100, "body": "Me too", "user": {"login": "eve"}, "created_at": "2026-09-27T10:00:00Z",
     "issue_url": "https://api.github.com/repos/acme/shop/issues/7"}
]"#;

#[test]
fn a_dry_run_shows_what_would_come_and_writes_nothing() {
    let stub = stub();
    let path = file(&stub, "issues.json", ISSUES);
    let (mapping, report) = (stub.home.path().join("mapping.json"), stub.home.path().join("report.ndjson"));
    let (saved, told) = (mapping.display().to_string(), report.display().to_string());
    let ran = import(&stub, &["github", &path, "--dry-run", "--save-mapping", &saved, "--report", &told]);
    insta::assert_snapshot!("import_dry_run", ran);
    assert_eq!(stub.calls(), ["GET /orgs/demo/projects/PRJ/workflow"]);
    let mapping: Value = serde_json::from_str(&fs::read_to_string(mapping).unwrap()).unwrap();
    assert_eq!(mapping["states"], json!({ "closed (not planned)": "Closed", "open": "New" }));
    assert_eq!(mapping["people"], json!({ "ada": "", "eve": "" }));
    let report = fs::read_to_string(report).unwrap();
    let first: Value = serde_json::from_str(report.lines().next().unwrap()).unwrap();
    assert_eq!(
        first,
        json!({ "kind": "pull request", "id": "#8", "reason": "pull requests stay at GitHub" })
    );
    let json = import(&stub, &["github", &path, "--dry-run", "--json"]).json();
    assert_eq!(
        (&json["found"]["items"], &json["dryRun"], &json["missing"]),
        (&json!(2), &json!(true), &json!(1))
    );
}

#[test]
fn an_import_sends_records_after_what_they_name() {
    let stub = stub();
    let answer = Imported {
        created: 7,
        skipped: vec![SkippedRecord {
            kind: RecordKind::Item,
            id: "7".into(),
            reason: "assignee: nobody here".into(),
        }],
        ..Imported::default()
    };
    stub.now(IMPORT, &answer);
    let path = file(&stub, "issues.json", ISSUES);
    let people = file(&stub, "people.json", r#"{"eve": "eve@example.org"}"#);
    let mapping = file(&stub, "mapping.json", r#"{"states": {"open": "In progress"}}"#);
    insta::assert_snapshot!(
        "import",
        import(&stub, &["github", &path, "--people", &people, "--states", &mapping])
    );
    let batches = batches(&stub);
    assert_eq!(
        (batches.len(), batches[0].source.as_str(), batches[0].dry_run),
        (1, "github:acme/shop", false)
    );
    let records = records(&stub);
    let kinds: Vec<_> = records.iter().map(|record| record["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["person", "person", "project", "label", "milestone", "item", "item", "comment"]);
    assert_eq!(records[1]["address"], "eve@example.org");
    assert_eq!((&records[5]["id"], &records[5]["state"]), (&json!("9"), &json!("In progress")));
    assert_eq!(
        (&records[6]["parent"], &records[6]["state"], &records[6]["type"]),
        (&json!("9"), &json!("Closed"), &json!("bug"))
    );
    assert_eq!((&records[7]["item"], &records[7]["author"]), (&json!("7"), &json!("eve")));
}

#[test]
fn many_records_go_in_batches_that_name_their_people() {
    let stub = stub();
    let mut text = "Id,Title,Author,Body\n".to_owned();
    for number in 0..500 {
        text += &format!("{number},Item {number},person {},{}\n", number % 150, "x".repeat(9_000));
    }
    let path = file(&stub, "work.csv", &text);
    assert_eq!(import(&stub, &["csv", &path]).code, 0);
    let (batches, mut items) = (batches(&stub), HashSet::new());
    for batch in &batches {
        let values: Vec<Value> = batch.records.iter().map(|record| json!(record)).collect();
        assert!(values.len() <= 200, "{}", values.len());
        assert!(serde_json::to_vec(batch).unwrap().len() < 2_000_000);
        let of = |kind: &str, field: &str| -> HashSet<String> {
            let of = values.iter().filter(|value| value["kind"] == kind);
            of.map(|value| value[field].as_str().unwrap().to_owned()).collect()
        };
        assert!(
            of("item", "author").is_subset(&of("person", "id")),
            "persons come with each request that names them"
        );
        items.extend(of("item", "id"));
    }
    assert_eq!(items.len(), 500);
}

#[test]
fn an_import_goes_on_after_the_network_was_cut() {
    let stub = stub();
    stub.forget(IMPORT);
    for _ in 0..8 {
        stub.answer(IMPORT, StatusCode::BAD_GATEWAY, &[], "no upstream".to_owned());
    }
    stub.on(IMPORT, &Imported { created: 1, ..Imported::default() });
    let path = file(&stub, "work.csv", "Title\nOne\n");
    let ran = import(&stub, &["csv", &path, "--json"]);
    assert_eq!((ran.code, &ran.json()["created"]), (0, &json!(1)), "{ran}");
    assert!(ran.stderr.contains("trying again"), "{ran}");
    let sent = batches(&stub);
    assert!(sent.iter().all(|batch| *batch == sent[0]), "the same is sent again");
}

#[test]
fn a_refusal_ends_the_import_and_says_why() {
    let stub = stub();
    stub.forget(IMPORT);
    stub.refuse(IMPORT, &problem(403, "forbidden", "You may not do this.", None));
    let path = file(&stub, "work.csv", "Title\nOne\n");
    let ran = import(&stub, &["csv", &path]);
    assert_eq!(ran.code, 5, "{ran}");
    stub.refuse(
        "GET /orgs/demo/projects/NOPE/workflow",
        &problem(404, "not-found", "It is not there.", None),
    );
    assert_eq!(stub.svc(&["import", "csv", &path, "-p", "NOPE"]).run().code, 4);
}

#[test]
fn files_beside_an_export_are_uploaded_once() {
    let stub = stub();
    let records = r#"{"kind":"project","name":"Shop","source":"svc:tracker.example/SHOP"}
{"kind":"item","id":"i1","title":"One","state":"New","createdAt":"2026-09-27T09:00:00Z"}
{"kind":"attachment","id":"f1","item":"i1","name":"shot.png","file":"files/f1/shot.png"}
{"kind":"attachment","id":"f2","item":"i1","name":"old.png","file":"files/f2/old.png","url":"https://x.example/old.png"}
{"kind":"attachment","id":"f3","item":"i1","name":"secret","file":"../secret"}
"#;
    file(&stub, "export/shop.ndjson", records);
    file(&stub, "export/files/f1/shot.png", "picture");
    file(&stub, "secret", "s");
    let folder = stub.home.path().join("export").display().to_string();
    let items = vec![ImportedItem { id: "i1".into(), key: "PRJ-1".into() }];
    stub.now(IMPORT, &Imported { created: 1, items, ..Imported::default() });
    let none: Vec<svc_api::tracker::Attachment> = Vec::new();
    stub.on("GET /orgs/demo/items/PRJ-1/attachments", &page(none));
    let upload = Upload {
        method: "PUT".into(),
        url: "/api/v1/orgs/demo/attachments/a1/content".into(),
        headers: Vec::new(),
        expires_at: at("13:00:00"),
    };
    let shot = attachment("a1", "shot.png", "image/png", 7);
    stub.on(
        "POST /orgs/demo/items/PRJ-1/attachments",
        &AnnouncedAttachment { attachment: shot.clone(), upload },
    );
    stub.answer("PUT /orgs/demo/attachments/a1/content", StatusCode::NO_CONTENT, &[], String::new());
    stub.on("POST /orgs/demo/attachments/a1/commit", &shot);
    let ran = import(&stub, &["svc", &folder, "--json"]);
    assert_eq!((&ran.json()["uploaded"], &ran.json()["missing"]), (&json!(1), &json!(1)), "{ran}");
    let sent: Vec<Value> =
        self::records(&stub).into_iter().filter(|record| record["kind"] == "attachment").collect();
    assert_eq!(
        sent,
        [
            json!({ "kind": "attachment", "id": "f2", "item": "i1", "name": "old.png", "url": "https://x.example/old.png" })
        ]
    );

    stub.now("GET /orgs/demo/items/PRJ-1/attachments", &page(vec![shot]));
    let before = stub.calls().len();
    let again = import(&stub, &["svc", &folder, "--json"]);
    assert_eq!((&again.json()["uploaded"], &again.json()["unchanged"]), (&json!(0), &json!(1)), "{again}");
    assert!(!stub.calls()[before..].iter().any(|call| call.starts_with("PUT")));
}

#[test]
fn ambiguous_dates_are_asked_for() {
    let stub = stub();
    let path = file(&stub, "jira.csv", "Issue key,Summary,Created\nA-1,One,3/4/2026 16:14\n");
    let ran = import(&stub, &["jira", &path]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("--dates dmy"), "{ran}");
    assert_eq!(import(&stub, &["jira", &path, "--dates", "dmy"]).code, 0);
    assert_eq!(records(&stub)[1]["createdAt"], "2026-04-03T16:14:00Z");
}

#[test]
fn what_is_no_export_is_refused_before_anything_is_sent() {
    let stub = stub();
    let path = file(&stub, "x.txt", "hello\n");
    for source in ["github", "gitlab", "jira", "linear", "trello", "csv", "vibe-kanban", "svc"] {
        let ran = import(&stub, &[source, &path]);
        assert_eq!(ran.code, 2, "{ran}");
    }
    assert_eq!(import(&stub, &["github", "/nowhere/issues.json"]).code, 2);
    assert_eq!(import(&stub, &["github"]).code, 2);
    assert_eq!(batches(&stub), []);
}

#[test]
fn a_repository_is_read_page_by_page() {
    let (stub, github) = (stub(), Stub::new());
    let issue = |number: u64| {
        json!({ "number": number, "title": format!("Issue {number}"), "state": "open", "created_at": "2026-09-27T09:00:00Z",
                "comments": 0, "sub_issues_summary": { "total": u64::from(number == 2) },
                "issue_dependencies_summary": { "blocked_by": u64::from(number == 1) } })
    };
    let issues = "GET /repos/acme/shop/issues";
    github.answer(
        issues,
        StatusCode::FORBIDDEN,
        &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1")],
        "{}".into(),
    );
    let query = "?state=all&per_page=100&sort=created&direction=asc";
    let next = format!("<{}/repos/acme/shop/issues{query}&page=2>; rel=\"next\"", github.url);
    let next: &'static str = next.leak();
    let headers: &'static [(&str, &str)] = vec![("content-type", "application/json"), ("link", next)].leak();
    github.answer(issues, StatusCode::OK, headers, json!([issue(1)]).to_string());
    github.on(
        &format!("{issues}{query}&page=2"),
        &json!([issue(2), { "number": 3, "title": "x", "pull_request": {} }]),
    );
    github.on("GET /repos/acme/shop/issues/comments", &json!([{
        "id": 5, "body": "Yes", "issue_url": "https://api.github.com/repos/acme/shop/issues/1", "created_at": "2026-09-27T09:00:00Z"
    }]));
    github.on("GET /repos/acme/shop/issues/2/sub_issues", &json!([{ "number": 1 }]));
    github.on("GET /repos/acme/shop/issues/1/dependencies/blocked_by", &json!([{ "number": 2 }]));
    let args = ["import", "github", "--repo", "acme/shop", "--api", &github.url, "-p", "PRJ", "--with-token"];
    stub.svc(&args).stdin("gh-token\n").run().exits(0);
    assert!(github.seen().iter().all(|seen| seen.token.as_deref() == Some("gh-token")));
    assert!(stub.seen().iter().all(|seen| seen.token.as_deref() != Some("gh-token")));
    let records = records(&stub);
    let item = |id: &str| {
        records.iter().find(|record| record["kind"] == "item" && record["id"] == id).unwrap().clone()
    };
    assert_eq!(item("1")["parent"], "2");
    let kinds: Vec<_> = records.iter().map(|record| record["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["project", "item", "item", "comment", "link"]);
    assert_eq!(records[4], json!({ "kind": "link", "from": "2", "to": "1", "relation": "blocks" }));

    github.answer("GET /repos/acme/none/issues", StatusCode::NOT_FOUND, &[], "{}".into());
    let args = ["import", "github", "--repo", "acme/none", "--api", &github.url, "-p", "PRJ"];
    let ran = stub.svc(&args).run().exits(4);
    assert!(ran.stderr.contains("GITHUB_TOKEN"), "{ran}");
}

//! Exit codes, and what is said to whoever has to act.

use std::io::Read as _;
use std::process::{Command, Stdio};

use axum::http::StatusCode;
use serde_json::json;
use svc_api::factory::RunStatus;

use crate::fixtures::{ada, at, fresh_item, item, page, problem, project, run};
use crate::stub::{Ran, Stub};

const ITEM: &str = "GET /orgs/demo/items/PRJ-12";

#[test]
fn every_status_has_its_exit_code_and_its_next_step() {
    let cases = [
        (400, "invalid-query", "A query parameter is not valid.", 2),
        (401, "unauthenticated", "Sign in, or send a valid token.", 5),
        (403, "missing-scope", "The token lacks a scope.", 5),
        (404, "not-found", "This does not exist, or you may not see it.", 4),
        (409, "stale-version", "Somebody else saved first.", 3),
        (422, "validation-failed", "Some fields are not valid.", 2),
        (429, "rate-limited", "The request budget is exhausted.", 2),
        (500, "internal", "Something went wrong on our side.", 1),
        (503, "unavailable", "The service cannot answer right now.", 1),
    ];
    let mut said = String::new();
    for (status, kind, title, code) in cases {
        let stub = Stub::new();
        stub.refuse(ITEM, &problem(status, kind, title, Some("More about this time.")));
        let ran = stub.svc(&["item", "view", "PRJ-12"]).run();
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{status}: {ran}");
        said.push_str(&format!("{ran}\n"));
    }
    insta::assert_snapshot!("failures", said);
}

#[test]
fn each_field_error_is_a_line() {
    let stub = Stub::new();
    let mut refused = problem(422, "validation-failed", "Some fields are not valid.", None);
    refused.errors.insert("title".into(), vec!["must not be empty".into()]);
    refused.errors.insert("labels".into(), vec!["\"a b\" has a space".into(), "at most 50".into()]);
    stub.refuse("POST /orgs/demo/projects/PRJ/items", &refused);
    let ran = stub.svc(&["item", "create", "-p", "PRJ", "--type", "bug", "--title", ""]).run();
    insta::assert_snapshot!("field_errors", ran);
}

#[test]
fn nobody_at_the_address_is_an_unexpected_failure() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let ran = Stub::new().svc(&["item", "view", "PRJ-12", "--url", &url]).run().exits(1);
    assert!(ran.stderr.starts_with(&format!("error: cannot reach {url}: ")), "{ran}");
}

#[test]
fn another_programs_page_is_told_from_an_instance() {
    let stub = Stub::new();
    stub.answer(ITEM, StatusCode::OK, &[("content-type", "text/html")], "<html>Welcome</html>".into());
    let ran = stub.svc(&["item", "view", "PRJ-12"]).run().exits(1);
    assert!(ran.stderr.contains("--url") && !ran.stderr.contains("Welcome"), "{ran}");
    let proxy = Stub::new();
    let page = "<html><body>Bad gateway of Proxy 7</body></html>";
    proxy.answer(ITEM, StatusCode::BAD_GATEWAY, &[("content-type", "text/html")], page.into());
    let ran = proxy.svc(&["item", "view", "PRJ-12"]).run().exits(1);
    assert!(
        ran.stderr.contains("a proxy in front of the service answered 502")
            && !ran.stderr.contains("Proxy 7"),
        "{ran}"
    );
}

#[test]
fn a_wrong_command_line_is_exit_code_2() {
    let stub = Stub::new();
    for args in [
        &["item", "explode"][..],
        &["item", "create", "-p", "PRJ", "--type", "wish", "--title", "x"],
        &["item", "view", "PRJ-12", "--nonsense"],
        &["item", "list", "-p", "PRJ", "--limit", "0"],
    ] {
        assert_eq!(stub.svc(args).run().code, 2, "{args:?}");
    }
    assert!(stub.seen().is_empty());
    assert_eq!(stub.svc(&["item", "list"]).run().code, 2, "no project was given");
}

#[test]
fn what_others_wrote_cannot_steer_a_terminal_behind_a_pipe() {
    let stub = Stub::new();
    let evil = "Bad\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}";
    let item = svc_api::tracker::Item { body: format!("{evil}\r\nnext"), ..fresh_item("PRJ-12", evil) };
    stub.on(ITEM, &item);
    let ran = stub.svc(&["item", "view", "PRJ-12"]).run();
    assert!(!ran.stdout.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{ran:?}");
    let json = stub.svc(&["item", "view", "PRJ-12", "--json"]).run().json();
    assert_eq!(json["title"], evil, "a program reads what was written");
}

#[test]
fn an_item_that_was_deleted_is_not_found() {
    let stub = Stub::new();
    let refused = problem(410, "item-deleted", "The item was deleted.", None);
    stub.refuse(ITEM, &refused);
    let ran = stub.svc(&["item", "view", "PRJ-12"]).run().exits(4);
    assert!(!ran.stderr.contains("svc item restore"), "who may not restore it is not told to: {ran}");
    let gone = json!([{
        "key": "PRJ-12", "title": "Search", "deletedBy": ada(), "deletedAt": at("09:00:00"),
        "restorableUntil": at("10:00:00"), "type": "bug",
    }]);
    stub.on("GET /orgs/demo/projects/PRJ/deleted-items", &gone);
    let ran = stub.svc(&["item", "view", "PRJ-12"]).run().exits(4);
    assert!(ran.stderr.contains("restore it with `svc item restore PRJ-12`"), "{ran}");
}

#[test]
fn colours_are_used_where_they_are_asked_for() {
    let stub = Stub::new();
    stub.on(ITEM, &fresh_item("PRJ-12", "x"));
    let colored = |ran: Ran| ran.stdout.contains('\u{1b}');
    assert!(!colored(stub.svc(&["item", "view", "PRJ-12"]).run()));
    assert!(colored(stub.svc(&["item", "view", "PRJ-12", "--color", "always"]).run()));
    assert!(!colored(stub.svc(&["--color=never", "item", "view", "PRJ-12"]).run()));
    assert_eq!(stub.svc(&["item", "view", "PRJ-12", "--color", "red"]).run().code, 2);
}

#[test]
fn a_failure_cannot_steer_the_terminal() {
    let stub = Stub::new();
    stub.refuse(ITEM, &problem(400, "x", "Bad\u{1b}]0;owned\u{7}", Some("\u{1b}[2J")));
    let ran = stub.svc(&["item", "view", "PRJ-12"]).run();
    assert!(!ran.stderr.contains(['\u{1b}', '\u{7}']), "{ran:?}");
}

#[test]
fn a_deprecation_reaches_the_person_and_not_the_data() {
    let stub = Stub::new();
    let headers = &[
        ("content-type", "application/json"),
        ("deprecation", "true"),
        ("sunset", "Sat, 01 May 2027 00:00:00 GMT"),
        ("link", "<https://docs.example/move>; rel=\"deprecation\""),
    ];
    stub.answer(ITEM, StatusCode::OK, headers, json!(item("PRJ-12", "Search")).to_string());
    insta::assert_snapshot!("deprecation", stub.svc(&["item", "branch", "PRJ-12"]).run());
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let stub = Stub::new();
    let items = (1..=2000).map(|number| item(&format!("PRJ-{number}"), &"long title ".repeat(20))).collect();
    stub.on("GET /orgs/demo/projects/PRJ/items", &page(items));
    let mut child = Command::new(env!("CARGO_BIN_EXE_svc"))
        .args(["item", "list", "-p", "PRJ"])
        .env_clear()
        .envs([("SVC_URL", stub.url.as_str()), ("SVC_TOKEN", "s3cret"), ("SVC_ORG", "demo")])
        .env("SVC_CONFIG_HOME", stub.home.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 3]).unwrap();
    drop(stdout);
    let ended = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
    assert_eq!(ended.status.code(), Some(0));
}

#[test]
fn json_of_an_item_is_the_api_s() {
    let stub = Stub::new();
    stub.on(ITEM, &item("PRJ-12", "x"));
    let ran = stub.svc(&["item", "view", "PRJ-12", "--json"]).run();
    assert_eq!(ran.json(), json!(item("PRJ-12", "x")));
}

#[test]
fn what_a_newer_instance_says_is_shown_as_far_as_it_is_known() {
    let stub = Stub::new();
    let mut newer = json!(item("PRJ-12", "Search"));
    newer["type"] = json!("incident");
    newer["priority"] = json!("urgent");
    newer["mood"] = json!({ "colour": "blue" });
    stub.on(ITEM, &newer);
    let ran = stub.svc(&["item", "view", "PRJ-12"]).run().exits(0);
    assert!(ran.stdout.contains("PRJ-12") && ran.stderr.is_empty(), "{ran}");
}

#[test]
fn a_full_disk_is_an_unexpected_failure() {
    let stub = Stub::new();
    stub.on(ITEM, &item("PRJ-12", "Search"));
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let ended = Command::new(env!("CARGO_BIN_EXE_svc"))
        .args(["item", "view", "PRJ-12", "--json"])
        .env_clear()
        .envs([("SVC_URL", stub.url.as_str()), ("SVC_TOKEN", "s3cret"), ("SVC_ORG", "demo")])
        .env("SVC_CONFIG_HOME", stub.home.path())
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(ended.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&ended.stderr).starts_with("error: cannot write the output"));
}

#[test]
fn what_other_programs_call_it_is_suggested() {
    let stub = Stub::new();
    for (args, suggested) in [
        (&["issues"][..], "'item'"),
        (&["login"], "'auth login'"),
        (&["item", "show", "PRJ-12"], "'view'"),
        (&["item", "lst"], "'list'"),
    ] {
        let ran = stub.svc(args).run().exits(2);
        assert!(ran.stderr.contains(suggested), "{ran}");
    }
}

#[test]
fn a_pasted_address_or_number_is_told_from_a_key() {
    let stub = Stub::new();
    for (typed, said) in [("https://tracker.example/o/demo/p/PRJ/items/PRJ-12", "PRJ-12"), ("#12", "PRJ-12")]
    {
        let ran = stub.svc(&["item", "view", typed]).run().exits(2);
        assert!(ran.stderr.contains(said), "{ran}");
    }
    assert!(stub.seen().is_empty());
}

#[test]
fn restoring_what_is_there_says_that_it_is_not_deleted() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects", &[project("PRJ", "Search and find", false)]);
    stub.on(ITEM, &item("PRJ-12", "Search"));
    stub.refuse("POST /orgs/demo/items/PRJ-12/restore", &problem(404, "not-found", "Not found.", None));
    let ran = stub.svc(&["item", "restore", "PRJ-12"]).run();
    assert!(ran.code == 4 && ran.stderr.contains("PRJ-12 is not deleted"), "{ran}");
}

#[test]
fn a_project_that_an_item_cannot_move_to_is_named() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/projects", &[project("PRJ", "Search and find", false)]);
    stub.on(ITEM, &item("PRJ-12", "Search"));
    stub.refuse("POST /orgs/demo/items/PRJ-12/transfer", &problem(404, "not-found", "Not found.", None));
    let ran = stub.svc(&["item", "transfer", "PRJ-12", "WEB"]).run();
    assert!(ran.code == 4 && ran.stderr.contains("no project \"WEB\""), "{ran}");
    assert!(ran.stderr.contains("PRJ"), "what there is instead: {ran}");
}

#[test]
fn a_run_that_has_not_begun_is_not_said_to_work() {
    let stub = Stub::new();
    let mut live = problem(409, "live-run-exists", "The item already has a live run.", None);
    live.run_id = Some("run_9".into());
    stub.refuse("POST /orgs/demo/items/PRJ-12/runs", &live);
    stub.on("GET /runs/run_9", &run("run_9", RunStatus::Queued));
    let ran = stub.svc(&["run", "start", "PRJ-12"]).run();
    assert!(ran.code == 3 && ran.stderr.contains("Run run_9 waits for a runner"), "{ran}");
}

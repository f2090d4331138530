//! What a shell is answered when a person presses Tab, and the manual.

use svc_api::tracker::{Label, StateGroup, Workflow, WorkflowState};

use crate::fixtures::{fresh_item, item, org, page, project};
use crate::stub::Stub;

/// The words that fish is offered for the last of these.
fn offered(stub: &Stub, words: &[&str]) -> Vec<String> {
    let mut line = vec!["--", "svc"];
    line.extend(words);
    let ran = stub.svc(&line).env("SVC_COMPLETE", "fish").run();
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
    ran.stdout.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

fn stub() -> Stub {
    let stub = Stub::new();
    let items = vec![item("PRJ-12", "Search forgets"), fresh_item("PRJ-13", "Other"), item("PRJ-2", "Old")];
    stub.on("GET /orgs/demo/projects/PRJ/items", &page(items));
    stub.on("GET /orgs/demo/projects", &vec![project("PRJ", "Search", false), project("WEB", "Web", false)]);
    let state = |name: &str| WorkflowState { name: name.into(), group: StateGroup::Active };
    let states = vec![state("Backlog"), state("In progress"), state("In review")];
    stub.on("GET /orgs/demo/projects/PRJ/workflow", &Workflow { version: 1, states, moves: vec![] });
    let label = |name: &str| Label {
        name: name.into(),
        color: "#6b7280".into(),
        description: String::new(),
        items: 1,
        version: 1,
    };
    stub.on("GET /orgs/demo/projects/PRJ/labels", &vec![label("bug"), label("build"), label("ui")]);
    stub
}

#[test]
fn item_keys_projects_states_and_labels_are_offered() {
    let stub = stub();
    assert_eq!(offered(&stub, &["item", "view", "prj-1"]), ["PRJ-12", "PRJ-13"]);
    assert_eq!(offered(&stub, &["item", "claim", ""])[..2], ["PRJ-", "WEB-"], "before the flags");
    assert_eq!(offered(&stub, &["item", "claim", "P"]), ["PRJ-12", "PRJ-13", "PRJ-2"]);
    assert_eq!(offered(&stub, &["item", "list", "-p", "W"]), ["WEB"]);
    assert_eq!(offered(&stub, &["item", "move", "PRJ-12", "--state", "in "]), ["In progress", "In review"]);
    assert_eq!(
        offered(&stub, &["item", "update", "PRJ-12", "--labels", "+ui,-bu"]),
        ["+ui,-bug", "+ui,-build"]
    );
    assert_eq!(offered(&stub, &["item", "create", "-p", "PRJ", "--labels", "u"]), ["ui"]);
}

#[test]
fn commands_and_values_are_offered_without_an_instance() {
    let stub = Stub::new();
    assert_eq!(offered(&stub, &["item", "hea"]), ["heartbeat"]);
    assert_eq!(offered(&stub, &["item", "update", "PRJ-1", "--priority", "h"]), ["high", "highest"]);
    assert!(stub.seen().is_empty());
}

#[test]
fn what_fails_is_silent() {
    let refusing = Stub::new();
    assert_eq!(offered(&refusing, &["item", "view", "PRJ-1"]), Vec::<String>::new());
    let nowhere = Stub::new();
    let words = ["--", "svc", "item", "view", "PRJ-1"];
    let ran = nowhere.bare(&words).env("SVC_COMPLETE", "fish").run();
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""), "not signed in");
    let several = Stub::new();
    several.on("GET /orgs", &vec![org("demo", "Demo"), org("other", "Other")]);
    let ran = several.svc(&words).env("SVC_COMPLETE", "fish").env("SVC_ORG", "").run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "it never asks");
}

#[test]
fn the_organization_is_that_of_the_line() {
    let stub = Stub::new();
    stub.on("GET /orgs/other/projects/WEB/items", &page(vec![item("WEB-1", "Elsewhere")]));
    assert_eq!(offered(&stub, &["--org", "other", "item", "view", "web-"]), ["WEB-1"]);
}

#[test]
fn every_shell_has_a_script_that_asks() {
    let stub = Stub::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stub.bare(&["completions", shell]).run();
        assert_eq!(script.code, 0, "{shell}");
        assert!(script.stdout.contains("SVC_COMPLETE"), "{shell}: {}", script.stdout);
    }
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let stub = Stub::new();
    let page = stub.bare(&["man"]).run();
    assert_eq!(page.code, 0, "{page}");
    assert!(page.stdout.contains(".TH svc 1") && page.stdout.contains("Track work"), "{page}");
    let directory = tempfile::TempDir::new().unwrap();
    let written = stub.bare(&["man", "--dir", directory.path().to_str().unwrap()]).run();
    assert_eq!(written.code, 0, "{written}");
    for page in ["svc.1", "svc-item.1", "svc-item-link.1", "svc-run-logs.1"] {
        assert!(directory.path().join(page).is_file(), "{page}");
    }
}

//! What a shell is answered when a person presses Tab, and the manual.

use std::process::Command;

use svc_api::identity::{InvitationState, Member, OrgRole};
use svc_api::tracker::{StateGroup, Workflow, WorkflowState};

use crate::fixtures::{
    fresh_item, invitation, item, label, member, org, page, project, team, template, token,
};
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
    let state = |name: &str| WorkflowState::new(name, StateGroup::Active);
    let states = vec![state("Backlog"), state("In progress"), state("In review")];
    stub.on("GET /orgs/demo/projects/PRJ/workflow", &Workflow { version: 1, states, moves: vec![] });
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
    assert_eq!(offered(&stub, &["item", "move", "PRJ-12", "in "]), ["In progress", "In review"]);
    assert_eq!(
        offered(&stub, &["item", "update", "PRJ-12", "--labels", "+ui,-bu"]),
        ["+ui,-bug", "+ui,-build"]
    );
    assert_eq!(offered(&stub, &["item", "create", "-p", "PRJ", "--labels", "u"]), ["ui"]);
}

#[test]
fn what_a_team_is_set_up_with_is_offered() {
    let stub = stub();
    stub.on("GET /orgs", &vec![org("demo", "Demo"), org("other", "Other")]);
    let named = Member { display_name: "Lovelace".into(), ..member("Ada", OrgRole::Owner) };
    stub.on("GET /orgs/demo/members", &vec![named, member("Ben", OrgRole::Member)]);
    let (open, joined) = (InvitationState::Expired, InvitationState::Accepted);
    let invitations =
        [invitation("i1", "eve@example.org", open), invitation("i2", "eva@example.org", joined)];
    stub.on("GET /orgs/demo/invitations", &invitations);
    stub.on("GET /me/tokens", &[token("t1", "nightly"), token("t2", "ci")]);
    stub.on("GET /orgs/demo/projects/PRJ/teams", &[team("web", &[]), team("ops", &[])]);
    stub.on("GET /orgs/demo/projects/PRJ/templates", &[template("t1", "Bug report")]);
    for (words, offer) in [
        (&["org", "view", "o"][..], "other"),
        (&["token", "create", "x", "--bound-to", "D"], "demo"),
        (&["token", "revoke", "n"], "nightly"),
        (&["member", "edit", "B"], "ben@example.org"),
        (&["project", "member", "add", "PRJ", "ada"], "ada@example.org"),
        (&["item", "update", "PRJ-1", "--assignee", "lov"], "ada@example.org"),
        (&["invite", "resend", "ev"], "eve@example.org"),
        (&["label", "delete", "-p", "PRJ", "u"], "ui"),
        (&["template", "view", "-p", "prj", "bug"], "Bug report"),
        (&["item", "create", "-p", "PRJ", "--template", "b"], "Bug report"),
        (&["team", "edit", "-p", "PRJ", "w"], "web"),
        (&["team", "create", "x", "-p", "PRJ", "--member", "be"], "ben@example.org"),
        (&["sprint", "list", "-p", "PRJ", "-t", "op"], "ops"),
        (&["sprint", "list", "-p", "PRJ", "--state", "pl"], "planned"),
        (&["project", "archive", "w"], "WEB"),
        (&["member", "edit", "Ben", "--role", "ow"], "owner"),
    ] {
        assert_eq!(offered(&stub, words), [offer], "{words:?}");
    }
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
    let page = stub.bare(&["man"]).run().exits(0);
    assert!(page.stdout.contains(".TH svc 1") && page.stdout.contains("Track work"), "{page}");
    let directory = tempfile::TempDir::new().unwrap();
    stub.bare(&["man", "--dir", directory.path().to_str().unwrap()]).run().exits(0);
    for page in ["svc.1", "svc-item.1", "svc-item-link.1", "svc-run-logs.1"] {
        let text = std::fs::read_to_string(directory.path().join(page)).unwrap();
        let title = text.lines().find(|line| line.starts_with(".TH ")).unwrap_or_default();
        let version = format!("\"svc {}\"", env!("CARGO_PKG_VERSION"));
        assert!(title.contains(page.trim_end_matches(".1")) && title.contains(&version), "{page}: {title}");
    }
}

/// The line's last word as bash would put it there, for each that it offers.
fn bash_offers(stub: &Stub, line: &[&str]) -> String {
    let last = line.last().copied().unwrap_or_default();
    bash_offers_broken(stub, line, &line.join(" "), last)
}

/// The same of a line that bash broke into these words, the last of which is to be completed from `typed` on.
fn bash_offers_broken(stub: &Stub, line: &[&str], written: &str, typed: &str) -> String {
    let svc = std::path::Path::new(env!("CARGO_BIN_EXE_svc"));
    let script = "source <(svc completions bash); COMP_LINE=$1; typed=$2; shift 2; COMP_WORDS=(\"$@\"); \
         COMP_CWORD=$(($# - 1)); _svc_quoted svc \"$typed\" \"${@: -2:1}\"; printf '%s\\n' \"${COMPREPLY[@]}\"";
    let ran = Command::new("bash")
        .args(["--norc", "-c", script, "bash", written, typed])
        .args(line)
        .env_clear()
        .envs([("SVC_URL", stub.url.as_str()), ("SVC_TOKEN", "s3cret"), ("SVC_ORG", "demo")])
        .env("SVC_CONFIG_HOME", stub.home.path())
        .env("PATH", format!("{}:/usr/bin:/bin", svc.parent().unwrap().display()))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&ran.stderr), "");
    String::from_utf8(ran.stdout).unwrap()
}

#[test]
fn bash_is_offered_words_as_it_must_write_them() {
    let stub = stub();
    let move_to = |typed| bash_offers(&stub, &["svc", "item", "move", "PRJ-12", "--state", typed]);
    assert_eq!(move_to("in"), "In\\ progress\nIn\\ review\n");
    assert_eq!(move_to(r"In\ p"), "In\\ progress\n", "what was completed before is completed on");
    assert_eq!(move_to("Back"), "Backlog\n");
    assert_eq!(bash_offers(&stub, &["svc", "item", "view", "PRJ-1"]), "PRJ-12\nPRJ-13\n");
}

/// `--filter state:` was answered with `state:--`.
#[test]
fn bash_is_offered_the_values_of_a_filter_although_it_breaks_words_at_colons() {
    let stub = stub();
    stub.now("GET /orgs/demo/projects/PRJ/labels", &vec![label("needs review"), label("c++")]);
    let list = ["svc", "item", "list", "-p", "PRJ", "--filter", "state", ":"];
    let written = "svc item list -p PRJ --filter state:";
    let states = bash_offers_broken(&stub, &list, written, "");
    assert_eq!(states, "Backlog\n\\\"In\\ progress\\\"\n\\\"In\\ review\\\"\n");
    let begun = [&list[..], &["Back"]].concat();
    assert_eq!(bash_offers_broken(&stub, &begun, &format!("{written}Back"), "Back"), "Backlog\n");
    let joined = ["svc", "item", "list", "-p", "PRJ", "--filter", "=", "label", ":", "need"];
    let written = "svc item list -p PRJ --filter=label:need";
    assert_eq!(bash_offers_broken(&stub, &joined, written, "need"), "\\\"needs\\ review\\\"\n");
    assert_eq!(
        offered(&stub, &["item", "list", "-p", "PRJ", "-f", "type:bug label:c"]),
        ["type:bug label:\"c++\""]
    );
}

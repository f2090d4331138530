//! `svc agent`, `svc playbook`, and the commands of `svc runner` that are about the organization's runners.

use axum::http::StatusCode;
use serde_json::json;
use svc_api::Problem;
use svc_api::deletion::Deletion;
use svc_api::factory::{Agent, Harness, Playbook, Rule, Runner, RunnerSecret};

use crate::fixtures::{ada, agent, at, playbook, problem};
use crate::stub::Stub;

fn runner(id: &str, name: &str) -> Runner {
    Runner {
        id: id.into(),
        name: name.into(),
        online: true,
        disabled: false,
        harnesses: vec![Harness::Harness1, Harness::Harness3],
        client_version: Some("1.0.0".into()),
        platform: Some("linux-x86_64".into()),
        machine_id: None,
        label: Some("ada's laptop".into()),
        service: false,
        parallel: 2,
        last_seen_at: Some(at("12:00:00")),
        version: 4,
    }
}

fn with_secret() -> RunnerSecret {
    RunnerSecret { runner: runner("r1", "laptop"), secret: "jrn_abc".into() }
}

#[test]
fn agents_are_listed_created_and_changed() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/agents", &[agent("a1", "Robin"), agent("a2", "Sam")]);
    stub.on("POST /orgs/demo/agents", &agent("a1", "Robin"));
    stub.on("PATCH /orgs/demo/agents/a1", &agent("a1", "Robin"));
    insta::assert_snapshot!("agent_list", stub.svc(&["agent", "list"]).run());
    for (args, sent) in [
        (&["create", "Robin"][..], json!({ "name": "Robin" })),
        (&["create", "--name", "Robin", "--model", "opus"], json!({ "name": "Robin", "model": "opus" })),
        (&["edit", "robin", "--name", "Kim"], json!({ "version": 1, "name": "Kim" })),
        (&["edit", "a1", "--model", "none"], json!({ "version": 1, "model": null })),
        (&["disable", "robin"], json!({ "version": 1, "disabled": true })),
        (&["enable", "Robin"], json!({ "version": 1, "disabled": false })),
    ] {
        stub.svc(&[&["agent"], args].concat()).run().exits(0);
        assert_eq!(stub.last_body(), sent, "{args:?}");
    }
}

#[test]
fn agents_and_playbooks_are_deleted_and_restored_by_their_names() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/agents", &[agent("a1", "Robin")]);
    stub.on("GET /orgs/demo/agents?deleted=true", &[agent("a2", "Sam")]);
    stub.answer("DELETE /orgs/demo/agents/a1", StatusCode::NO_CONTENT, &[], String::new());
    stub.on("POST /orgs/demo/agents/a2/restore", &agent("a2", "Sam"));
    let playbooks = "/orgs/demo/projects/PRJ/playbooks";
    stub.on(&format!("GET {playbooks}"), &[playbook("p1", "Implement")]);
    stub.on(&format!("GET {playbooks}?deleted=true"), &[playbook("p2", "Docs")]);
    stub.answer(&format!("DELETE {playbooks}/p1"), StatusCode::NO_CONTENT, &[], String::new());
    stub.on(&format!("POST {playbooks}/p2/restore"), &playbook("p2", "Docs"));
    let unasked = stub.svc(&["agent", "delete", "robin"]).run();
    assert!(unasked.code == 2 && unasked.stderr.contains("Type Robin to delete the agent"), "{unasked}");
    for args in [
        &["agent", "delete", "robin", "--yes"][..],
        &["agent", "restore", "sam"],
        &["playbook", "delete", "implement", "-p", "PRJ", "--yes"],
        &["playbook", "restore", "docs", "-p", "PRJ"],
    ] {
        stub.svc(args).run().exits(0);
    }
    let deletion =
        Deletion { by: ada(), at: at("09:00:00"), restorable_until: "2026-02-01T09:00:00Z".parse().unwrap() };
    let agents = [Agent { deletion: Some(deletion.clone()), ..agent("a2", "Sam") }];
    stub.now("GET /orgs/demo/agents?deleted=true", &agents);
    insta::assert_snapshot!("agent_list_deleted", stub.svc(&["agent", "list", "--deleted"]).run());
    let gone = [Playbook { deletion: Some(deletion), ..playbook("p2", "Docs") }];
    stub.now(&format!("GET {playbooks}?deleted=true"), &gone);
    let listed = stub.svc(&["playbook", "list", "--deleted", "-p", "PRJ"]).run();
    for part in ["p2", "Ada", "2026-02-01", "Docs"] {
        assert!(listed.stdout.contains(part), "{part}: {listed}");
    }
    let detail = "Another agent has taken its name. Rename or delete that one, then restore this one.";
    let taken = problem(409, "already-exists", "Something with this name already exists.", Some(detail));
    let stub = Stub::new();
    stub.on("GET /orgs/demo/agents?deleted=true", &agents);
    stub.refuse("POST /orgs/demo/agents/a2/restore", &taken);
    let refused = stub.svc(&["agent", "restore", "Sam"]).run();
    assert!(refused.code == 3 && refused.stderr.contains(detail), "{refused}");
    assert!(refused.stderr.contains("`svc agent edit \"Sam\" --name <NEW_NAME>`"), "{refused}");
}

#[test]
fn a_playbook_is_created_with_the_harness_that_people_know() {
    let stub = Stub::new();
    stub.on("POST /orgs/demo/projects/PRJ/playbooks", &playbook("p1", "Implement"));
    let create = ["playbook", "create", "Implement", "-p", "PRJ", "-m", "Do it.", "--harness"];
    for (harness, sent) in [("claude-code", "harness_1"), ("Codex", "harness_2"), ("harness_5", "harness_5")]
    {
        stub.svc(&[&create[..], &[harness, "--default"]].concat()).run().exits(0);
        let body = stub.last_body();
        assert_eq!(body["harness"], sent);
        assert_eq!((&body["instructions"], &body["projectDefault"]), (&json!("Do it."), &json!(true)));
    }
    let unknown = stub.svc(&[&create[..], &["claud"]].concat()).run();
    assert!(unknown.code == 2 && unknown.stderr.contains("claude-code, codex, opencode"), "{unknown}");
    let empty = stub.svc(&["playbook", "create", "Fix", "-p", "PRJ", "--harness", "codex"]).run();
    assert!(empty.code == 2 && empty.stderr.contains("--body-file"), "{empty}");
}

#[test]
fn playbooks_are_listed_shown_and_changed() {
    let stub = Stub::new();
    let full = Playbook {
        instructions: Some("# Implement\n\nDo it.\n".into()),
        success_state: Some("In review".into()),
        project_default: true,
        ..playbook("p1", "Implement")
    };
    stub.on("GET /orgs/demo/projects/PRJ/playbooks", &[full.clone(), playbook("p2", "Docs")]);
    stub.on("GET /orgs/demo/projects/PRJ/playbooks/p1", &full);
    stub.on("PATCH /orgs/demo/projects/PRJ/playbooks/p1", &full);
    insta::assert_snapshot!("playbook_list", stub.svc(&["playbook", "list", "-p", "PRJ"]).run());
    insta::assert_snapshot!("playbook_view", stub.svc(&["playbook", "view", "implement", "-p", "PRJ"]).run());
    let edit = ["playbook", "edit", "implement", "-p", "PRJ"];
    for (args, sent) in [
        (&["-m", "Test it."][..], json!({ "version": 1, "instructions": "Test it." })),
        (&["--default"], json!({ "version": 1, "projectDefault": true })),
        (
            &["--default", "false", "--success-state", "none"],
            json!({ "version": 1, "projectDefault": false, "successState": null }),
        ),
        (
            &["--delivery", "push", "--time-limit", "90"],
            json!({ "version": 1, "deliveryMode": "pushToDefaultBranch", "timeLimitMinutes": 90 }),
        ),
    ] {
        stub.svc(&[&edit[..], args].concat()).run().exits(0);
        assert_eq!(stub.last_body(), sent, "{args:?}");
    }
    assert_eq!(stub.svc(&edit).run().code, 2, "nothing to change");
}

#[test]
fn a_runners_secret_is_printed_alone_with_the_next_command_beside_it() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/runners", &[runner("r1", "laptop")]);
    stub.on("POST /orgs/demo/runners", &with_secret());
    stub.on("POST /orgs/demo/runners/r1/rotate", &with_secret());
    let created = stub.svc(&["runner", "create", "laptop"]).run();
    assert_eq!((created.code, created.stdout.as_str()), (0, "jrn_abc\n"), "{created}");
    assert!(created.stderr.contains("svc runner register --url http://INSTANCE --token -"), "{created}");
    assert!(!created.stderr.contains("jrn_abc"), "what goes to a file is not repeated: {created}");
    assert_eq!(stub.svc(&["runner", "rotate", "laptop"]).run().code, 2, "unasked");
    let rotated = stub.svc(&["runner", "rotate", "laptop", "--yes"]).run();
    assert_eq!((rotated.code, rotated.stdout.as_str()), (0, "jrn_abc\n"), "{rotated}");
}

#[test]
fn runners_are_listed_and_managed() {
    let stub = Stub::new();
    let silent = Runner {
        online: false,
        last_seen_at: None,
        harnesses: Vec::new(),
        label: None,
        ..runner("r2", "old")
    };
    stub.on("GET /orgs/demo/runners", &[runner("r1", "laptop"), silent]);
    stub.on("PATCH /orgs/demo/runners/r1", &runner("r1", "laptop"));
    stub.answer("DELETE /orgs/demo/runners/r2", StatusCode::NO_CONTENT, &[], String::new());
    insta::assert_snapshot!("runner_list", stub.svc(&["runner", "list"]).run());
    for (args, sent) in [
        (&["disable", "Laptop"][..], json!({ "version": 4, "disabled": true })),
        (&["enable", "r1"], json!({ "version": 4, "disabled": false })),
        (&["edit", "laptop", "--name", "build"], json!({ "version": 4, "name": "build" })),
    ] {
        stub.svc(&[&["runner"], args].concat()).run().exits(0);
        assert_eq!(stub.last_body(), sent, "{args:?}");
    }
    assert_eq!(stub.svc(&["runner", "delete", "old"]).run().code, 2, "unasked");
    assert_eq!(stub.svc(&["runner", "delete", "old", "--yes"]).run().code, 0);
}

#[test]
fn what_a_run_lacks_is_named_with_the_command_that_makes_it() {
    let stub = Stub::new();
    let none: &[Playbook] = &[];
    stub.on("GET /orgs/demo/projects/PRJ/playbooks", &none);
    let unknown = stub.svc(&["run", "start", "PRJ-12", "--playbook", "Implement"]).run();
    assert!(unknown.code == 4 && unknown.stderr.contains("next: there is none yet; create one"), "{unknown}");
    let errors = [("playbook".to_owned(), vec!["The project has no default playbook. Name one.".to_owned()])];
    let refused = Problem { errors: errors.into(), ..problem(422, "validation", "No.", None) };
    stub.refuse("POST /orgs/demo/items/PRJ-12/runs", &refused);
    let undecided = stub.svc(&["run", "start", "PRJ-12"]).run();
    assert!(undecided.stderr.contains("svc playbook create <NAME> -p PRJ"), "{undecided}");
}

#[test]
fn a_list_of_rules_names_what_they_start() {
    let stub = Stub::new();
    let rule = |id: &str, agent: Option<&str>| Rule {
        id: id.into(),
        name: "Bugs".into(),
        state: "Ready".into(),
        label: None,
        playbook: "p1".into(),
        agent: agent.map(str::to_owned),
        only_ai_starters: true,
        disabled: false,
        saved_by: ada(),
        version: 1,
    };
    stub.on("GET /orgs/demo/projects/PRJ/rules", &[rule("r1", Some("a1")), rule("r2", None)]);
    stub.on("GET /orgs/demo/projects/PRJ/playbooks", &[playbook("p1", "Fix")]);
    stub.on("GET /orgs/demo/agents", &[agent("a1", "Robin")]);
    let ran = stub.svc(&["rule", "list", "-p", "PRJ"]).run();
    for part in ["PLAYBOOK", "Fix", "AGENT", "Robin", "(default)"] {
        assert!(ran.stdout.contains(part), "{part}: {ran}");
    }
    let playbooks = problem(403, "forbidden", "You may not do this.", None);
    stub.now("GET /orgs/demo/agents", &json!([]));
    stub.refuse("GET /orgs/demo/projects/NO/playbooks", &playbooks);
    stub.on("GET /orgs/demo/projects/NO/rules", &[rule("r1", Some("a1"))]);
    let ran = stub.svc(&["rule", "list", "-p", "NO"]).run();
    assert!(ran.code == 0 && ran.stdout.contains("p1"), "the ids where names cannot be had: {ran}");
}

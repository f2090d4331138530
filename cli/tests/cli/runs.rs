//! `svc run`.

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use serde_json::json;
use svc_api::factory::{
    ChangedFile, LogStream, Ref, Run, RunArtifact, RunChanges, RunCommit, RunStatus, TokenCounts,
};

use crate::fixtures::{agent, at, log, page, playbook, problem, run};
use crate::stub::Stub;

const START: &str = "POST /orgs/demo/items/PRJ-12/runs";
const LOG: &str = "GET /runs/run_1/log";

#[test]
fn start_without_names_leaves_the_choice_to_the_project() {
    let stub = Stub::new();
    stub.on(START, &run("run_1", RunStatus::Queued));
    insta::assert_snapshot!("run_start", stub.svc(&["run", "start", "PRJ-12"]).run());
    assert_eq!(stub.calls(), [START]);
    assert_eq!(stub.last_body(), json!({}));
    insta::assert_snapshot!("run_start_json", stub.svc(&["run", "start", "PRJ-12", "--json"]).run());
}

#[test]
fn who_starts_a_run_that_must_wait_is_told_at_once() {
    let stub = Stub::new();
    let waits =
        Run { waiting_reason: Some("No runner is online.".into()), ..run("run_1", RunStatus::Queued) };
    stub.on(START, &waits);
    let ran = stub.svc(&["run", "start", "PRJ-12"]).run();
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "The run waits: No runner is online.\n"), "{ran}");
}

fn stub_with_names() -> Stub {
    let stub = Stub::new();
    let playbooks = [playbook("pb-1", "Fix a bug"), playbook("pb-2", "Docs"), playbook("pb-3", "docs")];
    stub.on("GET /orgs/demo/projects/PRJ/playbooks", &playbooks);
    stub.on("GET /orgs/demo/agents", &[agent("ag-1", "Robin"), agent("ag-2", "Sam"), agent("ag-3", "Sam")]);
    stub.on(START, &run("run_1", RunStatus::Queued));
    stub
}

#[test]
fn start_finds_a_playbook_and_an_agent_by_name_or_id() {
    let stub = stub_with_names();
    for (playbook, agent, sent) in [
        ("FIX a bug", "Robin", json!({ "playbook": "pb-1", "agent": "ag-1" })),
        ("pb-2", "ag-3", json!({ "playbook": "pb-2", "agent": "ag-3" })),
    ] {
        stub.svc(&["run", "start", "PRJ-12", "--playbook", playbook, "--agent", agent]).run().exits(0);
        assert_eq!(stub.last_body(), sent);
    }
    // The service knows the runners, which not everybody may list.
    stub.svc(&["run", "start", "PRJ-12", "--runner", "laptop"]).run().exits(0);
    assert_eq!(stub.last_body(), json!({ "runner": "laptop" }));
    for harness in ["codex", "harness_2"] {
        stub.svc(&["run", "start", "PRJ-12", "--harness", harness]).run().exits(0);
        assert_eq!(stub.last_body(), json!({ "harness": "harness_2" }));
    }
    let unknown = stub.svc(&["run", "start", "PRJ-12", "--harness", "vim"]).run();
    assert!(unknown.code == 2 && unknown.stderr.contains("claude-code"), "{unknown}");
}

#[test]
fn start_refuses_a_name_of_several_and_lists_their_ids() {
    let stub = stub_with_names();
    insta::assert_snapshot!(
        "playbook_several",
        stub.svc(&["run", "start", "PRJ-12", "--playbook", "docs"]).run()
    );
    insta::assert_snapshot!("agent_several", stub.svc(&["run", "start", "PRJ-12", "--agent", "Sam"]).run());
    insta::assert_snapshot!(
        "playbook_none",
        stub.svc(&["run", "start", "PRJ-12", "--playbook", "deploy"]).run()
    );
    assert!(!stub.calls().iter().any(|call| call == START));
}

#[test]
fn start_tells_why_it_cannot() {
    let stub = Stub::new();
    let mut live = problem(409, "live-run-exists", "The item already has a live run.", None);
    live.run_id = Some("run_9".into());
    stub.refuse(START, &live);
    insta::assert_snapshot!("run_start_live", stub.svc(&["run", "start", "PRJ-12"]).run());
    let stub = Stub::new();
    let title = "You may not start AI work here or see its details.";
    stub.refuse(START, &problem(403, "factory-not-permitted", title, None));
    insta::assert_snapshot!("run_start_forbidden", stub.svc(&["run", "start", "PRJ-12"]).run());
}

#[test]
fn a_list_is_filtered_by_the_instance() {
    let stub = Stub::new();
    let runs = vec![run("run_2", RunStatus::Running), run("run_1", RunStatus::TimedOut)];
    stub.on("GET /orgs/demo/runs", &page(runs));
    let filters = ["-p", "prj", "--status", "timedout", "--agent", "ag-1", "--item", "prj-12"];
    insta::assert_snapshot!("run_list", stub.svc(&[&["run", "list"], &filters[..]].concat()).run());
    let query = "project=PRJ&status=timedOut&agent=ag-1&item=PRJ-12&page=1&pageSize=100";
    assert_eq!(stub.calls(), [format!("GET /orgs/demo/runs?{query}")]);
    insta::assert_snapshot!("run_list_json", stub.svc(&["run", "list", "--json"]).run());
    assert_eq!(stub.svc(&["run", "list", "--status", "sleeping"]).run().code, 2);
}

fn finished() -> Run {
    Run {
        runner: Some(Ref { id: "runner-1".into(), name: "build-1".into() }),
        assigned_at: Some(at("10:00:01")),
        started_at: Some(at("10:00:04")),
        finished_at: Some(at("10:12:30")),
        outcome: Some("The parser stopped at the first comma.".into()),
        pull_request: Some("https://code.example/pull/5".into()),
        exit_code: Some(0),
        cost: Some(0.4251),
        tokens: Some(TokenCounts { input: 1200, output: 340, cache_read: 90_000, cache_write: 0 }),
        harness_session: Some("5e55".into()),
        ..run("run_1", RunStatus::Succeeded)
    }
}

#[test]
fn a_view_shows_what_came_of_it() {
    let stub = Stub::new();
    stub.on("GET /runs/run_1", &finished());
    insta::assert_snapshot!("run_view", stub.svc(&["run", "view", "run_1"]).run());
    insta::assert_snapshot!("run_view_json", stub.svc(&["run", "view", "run_1", "--json"]).run());
    assert_eq!(stub.calls(), ["GET /runs/run_1", "GET /runs/run_1"], "no organization needs to be known");
}

#[test]
fn a_view_shows_why_it_waits_or_failed() {
    let stub = Stub::new();
    let waiting = "No online runner has Claude Code.".to_owned();
    stub.on("GET /runs/run_1", &Run { waiting_reason: Some(waiting), ..run("run_1", RunStatus::Queued) });
    insta::assert_snapshot!("run_view_waiting", stub.svc(&["run", "view", "run_1"]).run());
    let failed = Run {
        failure_reason: Some("no-remote".into()),
        failure_detail: Some("the checkout has no origin".into()),
        ..run("run_2", RunStatus::Failed)
    };
    stub.on("GET /runs/run_2", &failed);
    let ran = stub.svc(&["run", "view", "run_2"]).run();
    assert!(ran.stdout.contains("no-remote: the checkout has no origin"), "{ran}");
}

#[test]
fn a_diff_is_the_patch_as_it_is_or_commits_and_files() {
    let stub = Stub::new();
    let file = |path: &str, lines: Option<u64>, in_patch| ChangedFile {
        path: path.into(),
        previous_path: None,
        additions: lines,
        deletions: lines.map(|_| 0),
        in_patch,
    };
    let changes = RunChanges {
        base: Some("aaa".into()),
        head: Some("0f1e2d3c4b5a69788796".into()),
        commits: vec![RunCommit { hash: "0f1e2d3c4b5a69788796".into(), title: "Greet".into() }],
        commit_count: 3,
        files: vec![file("a.sh", Some(12), true), file("b.png", None, false)],
        file_count: 2,
        additions: 12,
        deletions: 0,
        patch: Some("diff --git a/a.sh b/a.sh\n+\u{1b}[1m\n".into()),
        truncated: true,
    };
    stub.on("GET /runs/run_1/changes", &changes);
    let ran = stub.svc(&["run", "diff", "run_1"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "diff --git a/a.sh b/a.sh\n+\u{1b}[1m\n"));
    assert!(ran.stderr.contains("the patch lacks 1 file"), "{ran}");
    insta::assert_snapshot!("run_diff_stat", stub.svc(&["run", "diff", "run_1", "--stat"]).run());
    assert_eq!(stub.calls()[1], "GET /runs/run_1/changes?patch=false");
    let json = stub.svc(&["run", "diff", "run_1", "--json"]).run().json();
    assert_eq!(json, serde_json::to_value(&changes).unwrap());
    stub.on("GET /runs/run_2/changes", &RunChanges::default());
    let ran = stub.svc(&["run", "diff", "run_2"]).run();
    assert!(ran.code == 0 && ran.stdout.is_empty() && ran.stderr.contains("reported no changes"), "{ran}");
}

#[test]
fn files_of_a_run_are_listed_and_downloaded_one_or_all() {
    let stub = Stub::new();
    let file = |name: &str, size| RunArtifact { name: name.into(), size };
    stub.on("GET /runs/run_1/artifacts", &vec![file("report.xml", 5), file("../evil.png", 4)]);
    stub.answer("GET /runs/run_1/artifacts/report.xml", StatusCode::OK, &[], "<a/>\n".into());
    stub.answer("GET /runs/run_1/artifacts/..%2Fevil.png", StatusCode::OK, &[], "\u{1b}[2J".into());
    let listed = stub.svc(&["run", "artifacts", "run_1"]).run();
    assert!(listed.code == 0 && listed.stdout.contains("report.xml"), "{listed}");
    let got = stub.svc(&["run", "artifacts", "run_1", "--get", "report.xml"]).run();
    assert_eq!((got.code, got.stdout.as_str()), (0, "<a/>\n"), "{got}");
    stub.svc(&["run", "artifacts", "run_1", "--get", "none"]).run().exits(4);
    let folder = tempfile::tempdir().unwrap();
    let args = ["run", "artifacts", "run_1", "--all", "-o", folder.path().to_str().unwrap()];
    std::fs::write(folder.path().join("report.xml"), "mine").unwrap();
    let refused = stub.svc(&args).run();
    assert!(refused.code == 2 && refused.stderr.contains("report.xml exists"), "{refused}");
    assert_eq!(std::fs::read_to_string(folder.path().join("report.xml")).unwrap(), "mine");
    assert!(!folder.path().join("evil.png").exists(), "nothing is half done");
    stub.svc(&[&args[..], &["--force"]].concat()).run().exits(0);
    let mut names: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["evil.png", "report.xml"], "no name leaves the directory");
    stub.on("GET /runs/run_2/artifacts", &Vec::<RunArtifact>::new());
    let none = stub.svc(&["run", "artifacts", "run_2"]).run();
    assert!(none.code == 0 && none.stdout.is_empty() && none.stderr.contains("has no files"), "{none}");
}

#[test]
fn logs_are_printed_from_the_beginning_to_what_there_is() {
    let stub = Stub::new();
    let first =
        [(LogStream::Event, "started"), (LogStream::Stdout, "reading"), (LogStream::Stderr, "warn: x")];
    stub.on(LOG, &log(1, &first)).on(LOG, &log(4, &[(LogStream::Stdout, "")])).on(LOG, &log(5, &[]));
    insta::assert_snapshot!("run_logs", stub.svc(&["run", "logs", "run_1"]).run());
    assert_eq!(stub.calls(), [LOG.to_owned(), format!("{LOG}?after=3"), format!("{LOG}?after=4")]);
}

#[test]
fn logs_as_json_are_a_line_for_each_entry() {
    let stub = Stub::new();
    let mut end = log(3, &[]);
    end.truncated = true;
    stub.on(LOG, &log(1, &[(LogStream::Event, "started"), (LogStream::Stdout, "a\u{1b}[1mb")])).on(LOG, &end);
    insta::assert_snapshot!("run_logs_json", stub.svc(&["run", "logs", "run_1", "--json"]).run());
}

#[test]
fn a_capped_log_says_so() {
    let stub = Stub::new();
    let mut end = log(2, &[]);
    end.truncated = true;
    stub.on(LOG, &log(1, &[(LogStream::Stdout, "all there is")])).on(LOG, &end);
    let ran = stub.svc(&["run", "logs", "run_1"]).run();
    assert_eq!(ran.stdout, "all there is\n(log truncated)\n");
}

#[test]
fn follow_polls_until_the_run_has_ended_and_drains_what_is_left() {
    let stub = Stub::new();
    stub.on(LOG, &log(1, &[(LogStream::Stdout, "one")]))
        .on(LOG, &log(2, &[]))
        .on(LOG, &log(2, &[(LogStream::Stdout, "two")]))
        .on(LOG, &log(3, &[]))
        // Written between the last look at the log and the end of the run.
        .on(LOG, &log(3, &[(LogStream::Event, "finished")]))
        .on(LOG, &log(4, &[]));
    stub.on("GET /runs/run_1", &run("run_1", RunStatus::Running));
    stub.on("GET /runs/run_1", &run("run_1", RunStatus::Succeeded));
    let started = Instant::now();
    let ran = stub.svc(&["run", "logs", "run_1", "--follow"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "one\ntwo\n[event] finished\n"), "{ran}");
    assert!(started.elapsed() >= Duration::from_secs(2), "one pause between two looks");
    let run = "GET /runs/run_1".to_owned();
    let after = |seq: u64| format!("{LOG}?after={seq}");
    let expected = [LOG.to_owned(), after(1), run.clone(), after(1), after(2), run, after(2), after(3)];
    assert_eq!(stub.calls(), expected);
}

#[test]
fn follow_outlasts_a_failure_of_the_instance() {
    let stub = Stub::new();
    let failed = problem(500, "internal", "Something went wrong on our side.", None);
    stub.refuse(LOG, &failed).on(LOG, &log(1, &[(LogStream::Stdout, "one")])).on(LOG, &log(2, &[]));
    stub.on("GET /runs/run_1", &run("run_1", RunStatus::Succeeded));
    let ran = stub.svc(&["run", "logs", "run_1", "--follow"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "one\n"), "{ran}");
    assert_eq!(ran.stderr, "trying again: Something went wrong on our side\n");

    let stub = Stub::new();
    stub.refuse(LOG, &failed);
    assert_eq!(stub.svc(&["run", "logs", "run_1"]).run().code, 1, "a look that is not a watch fails at once");
    let stub = Stub::new();
    stub.refuse(LOG, &problem(403, "factory-not-permitted", "You may not.", None));
    assert_eq!(stub.svc(&["run", "logs", "run_1", "--follow"]).run().code, 5, "a refusal is not waited out");
}

#[test]
fn ctrl_c_ends_the_look_and_not_the_run() {
    let stub = Stub::new();
    stub.on(LOG, &log(1, &[(LogStream::Stdout, "one")])).on(LOG, &log(2, &[]));
    stub.on("GET /runs/run_1", &run("run_1", RunStatus::Running));
    stub.on("POST /orgs/demo/items/PRJ-12/runs", &run("run_1", RunStatus::Queued));
    for args in [&["run", "logs", "run_1", "--follow"][..], &["run", "start", "PRJ-12", "--follow"]] {
        let looked = stub.calls().len();
        let running = stub.svc(args).start();
        stub.until_called_after(looked, "GET /runs/run_1");
        let ran = running.interrupt();
        assert_eq!(ran.code, 130, "{ran}");
        let said = "The run continues. Follow it again with `svc run logs run_1 --follow`; stop it with `svc run cancel run_1`.\n";
        assert_eq!(ran.stderr, said, "{ran}");
    }
}

#[test]
fn a_run_that_has_not_begun_says_what_it_waits_for() {
    let queued = |reason: Option<&str>| svc_api::factory::Run {
        waiting_reason: reason.map(str::to_owned),
        ..run("run_1", RunStatus::Queued)
    };
    let stub = Stub::new();
    stub.on(LOG, &log(1, &[])).on("GET /runs/run_1", &queued(Some("No runner is online.")));
    let ran = stub.svc(&["run", "logs", "run_1"]).run();
    assert!(ran.code == 0 && ran.stdout.is_empty(), "{ran}");
    assert!(ran.stderr.starts_with("The run waits: No runner is online.\n"), "{ran}");
    stub.now("GET /runs/run_1", &run("run_1", RunStatus::Cancelled));
    assert_eq!(stub.svc(&["run", "logs", "run_1"]).run().stderr, "The run ended without a log.\n");

    let stub = Stub::new();
    stub.on(LOG, &log(1, &[])).on("GET /runs/run_1", &queued(None)).on("GET /runs/run_1", &queued(None));
    stub.on("GET /runs/run_1", &run("run_1", RunStatus::Succeeded));
    let ran = stub.svc(&["run", "logs", "run_1", "--follow"]).run();
    assert_eq!(ran.stderr, "A runner takes the run within seconds.\n", "it is said once");
}

#[test]
fn a_log_is_read_from_its_end() {
    let stub = Stub::new();
    stub.on(LOG, &log(8, &[(LogStream::Stdout, "eight"), (LogStream::Stdout, "nine")]))
        .on(LOG, &log(10, &[]));
    let ran = stub.svc(&["run", "logs", "run_1", "--tail", "2"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "eight\nnine\n"), "{ran}");
    assert_eq!(stub.calls(), [format!("{LOG}?tail=2"), format!("{LOG}?after=9")]);
    for wrong in ["0", "5001", "x"] {
        assert_eq!(stub.svc(&["run", "logs", "run_1", "--tail", wrong]).run().code, 2, "{wrong}");
    }
}

#[test]
fn follow_of_an_ended_run_prints_it_and_stops() {
    let stub = Stub::new();
    stub.on(LOG, &log(1, &[(LogStream::Stdout, "one")])).on(LOG, &log(2, &[]));
    stub.on("GET /runs/run_1", &run("run_1", RunStatus::Cancelled));
    let ran = stub.svc(&["run", "logs", "run_1", "-f"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "one\n"), "{ran}");
}

#[test]
fn cancel_shows_the_run_and_refuses_an_ended_one() {
    let stub = Stub::new();
    stub.on("POST /runs/run_1/cancel", &run("run_1", RunStatus::Cancelled));
    insta::assert_snapshot!("run_cancel", stub.svc(&["run", "cancel", "run_1"]).run());
    stub.refuse("POST /runs/run_2/cancel", &problem(409, "run-ended", "The run has already ended.", None));
    insta::assert_snapshot!("run_cancel_ended", stub.svc(&["run", "cancel", "run_2"]).run());
}

#[test]
fn an_agent_says_why_it_cannot_do_the_work() {
    let stub = Stub::new();
    let file = stub.home.path().join("failure.txt");
    let fail = ["run", "fail", "--reason", "the item contradicts itself"];
    assert_eq!(stub.svc(&fail).env("SVC_FAILURE_FILE", &file).run().code, 0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "the item contradicts itself");
    let outside = stub.svc(&fail).run();
    assert_eq!(outside.code, 2);
    assert!(outside.to_string().contains("svc run cancel"), "{outside}");
    let empty = stub.svc(&["run", "fail", "--reason", " "]).env("SVC_FAILURE_FILE", &file).run();
    assert_eq!(empty.code, 2);
    assert_eq!(stub.calls(), [] as [&str; 0], "nobody is called");
}

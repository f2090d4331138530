//! Workspaces that are kept, for five days or for good, and those that are not.

use serde_json::{Value, json};
use svc_api::factory::RunKind;
use svc_api::runner::FinishResult;

use crate::machine::{Machine, assignment};
use crate::stub::Stub;
use crate::world;

/// Lets a run have ended years ago.
async fn age(stub: &Stub, machine: &Machine, run: &str) {
    let path = machine.record(run, "workspace.json");
    let closed = |_: &_| {
        let manifest: Value = serde_json::from_slice(&std::fs::read(&path).ok()?).ok()?;
        manifest["endedAt"].is_string().then_some(manifest)
    };
    let mut manifest = stub.until("the workspace is closed", closed).await;
    manifest["endedAt"] = json!("2020-01-01T00:00:00Z");
    std::fs::write(&path, manifest.to_string()).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_of_more_than_five_days_ago_is_not_resumed_and_its_workspace_goes() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: fail overloaded"));
    let session = stub.finish_of("run-1").await.harness_session;
    assert!(session.is_some());
    age(&stub, &machine, "run-1").await;
    let mut again = assignment("run-2", "");
    again.kind = RunKind::Continue;
    again.resume_session = session;
    again.earlier_run_id = Some("run-1".into());
    stub.queue(again);
    let finish = stub.finish_of("run-2").await;
    assert_eq!(finish.failure_reason.as_deref(), Some("session-unavailable"));
    let detail = finish.failure_detail.unwrap();
    assert!(detail.contains("older than 5 days"), "{detail}");
    stub.until("the workspace is gone", |_| (!machine.run_directory("run-1").exists()).then_some(())).await;
}

/// A new run of the item removed what was kept of it all the same.
#[tokio::test(flavor = "multi_thread")]
async fn keep_workspaces_keeps_every_one_and_sweeps_none() {
    let (stub, machine) = world().await;
    let runner = machine.start(&["--keep-workspaces"]);
    stub.queue(assignment("run-1", ""));
    assert_eq!(stub.finish_of("run-1").await.result, FinishResult::Succeeded);
    age(&stub, &machine, "run-1").await;
    let mut elsewhere = assignment("run-2", "");
    elsewhere.project = "OTHER".into();
    stub.queue(elsewhere);
    let failed = stub.finish_of("run-2").await;
    assert_eq!(failed.harness_session, None, "without the flag nothing of it would be left");
    runner.signal();
    assert_eq!(runner.end().await, 0);

    let runner = machine.go(&["--keep-workspaces"]);
    stub.queue(assignment("run-3", "Say nos da too."));
    assert_eq!(stub.finish_of("run-3").await.result, FinishResult::Succeeded, "{}", machine.told());
    runner.signal();
    assert_eq!(runner.end().await, 0);
    for run in ["run-1/repo", "run-2", "run-3/repo"] {
        assert!(machine.run_directory(run).exists(), "{run}");
    }

    let _runner = machine.go(&[]);
    stub.until("the old workspace is gone", |_| (!machine.run_directory("run-1").exists()).then_some(()))
        .await;
    assert!(machine.run_directory("run-3/repo").exists());
}

/// The next runner cleared away what a dead one left without a session.
#[tokio::test(flavor = "multi_thread")]
async fn keep_workspaces_keeps_that_of_a_runner_that_died_too() {
    let (stub, mut machine) = world().await;
    let silent =
        "#!/bin/sh\n[ \"$1\" = --version ] && { echo '2.0.0 (Claude Code)'; exit 0; }\nexec sleep 300\n";
    let silent = machine.script("silent", silent).display().to_string();
    machine.environment.push(("SVC_RUNNER_HARNESS_1".into(), silent));
    for (run, args, kept) in [("run-1", &[][..], false), ("run-2", &["--keep-workspaces"], true)] {
        let runner = machine.start(&[]);
        stub.queue(assignment(run, ""));
        stub.until("the harness runs", |world| world.runs.get(run)?.started.clone()).await;
        drop(runner);
        let runner = machine.go(args);
        let finish = stub.finish_of(run).await;
        assert_eq!(
            (finish.failure_reason.as_deref(), finish.harness_session),
            (Some("harness-crashed"), None)
        );
        let manifest = machine.record(run, "workspace.json");
        let closed = |_: &_| match std::fs::read_to_string(&manifest) {
            Ok(text) => (kept && text.contains("\"endedAt\": \"")).then_some(()),
            Err(_) => (!kept).then_some(()),
        };
        stub.until("the run is cleared away", closed).await;
        runner.signal();
        assert_eq!(runner.end().await, 0);
        assert_eq!(machine.run_directory(run).join("repo").exists(), kept, "{run}");
    }
}

/// They were in the workspace alone, and gone with it.
#[tokio::test(flavor = "multi_thread")]
async fn commits_beside_the_branch_are_kept_and_the_outcome_says_where() {
    let (stub, mut machine) = world().await;
    machine.harness(
        "commit() { echo \"$1\" >\"$1.txt\" && git add . && git commit -q -m \"$1\" || exit 1; }\n\
         commit work; branch=$(git branch --show-current)\n\
         git checkout -q -b second; commit second; git tag -a v9 -m nine; git tag light\n\
         git checkout -q --detach; commit detached; git checkout -q $branch\n\
         for stash in one two; do echo $stash >stashed.txt; git add .; git stash -q || exit 1; done",
    );
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?}");
    let (outcome, text) = (finish.outcome.unwrap(), stub.world().runs["run-1"].text());
    let kept = |name: &str, file: &str| {
        machine.git("clone", &["show", &format!("refs/svc/kept/run-1-{name}:{file}")])
    };
    assert_eq!(kept("branch/second", "second.txt"), "second");
    assert_eq!(
        (kept("stash/0", "stashed.txt"), kept("stash/1", "stashed.txt")),
        ("two".into(), "one".into())
    );
    assert_eq!(machine.git("clone", &["cat-file", "-t", "refs/svc/kept/run-1-tag/v9"]), "tag");
    assert_eq!(kept("reflog/0", "detached.txt"), "detached");
    for back in [
        "`git branch second refs/svc/kept/run-1-branch/second`",
        "`git stash apply refs/svc/kept/run-1-stash/0`",
        "`git branch run-1-reflog-0 refs/svc/kept/run-1-reflog/0`",
    ] {
        assert!(outcome.contains(back) && text.contains(back), "{back}: {outcome} {text}");
    }
    assert!(
        !outcome.contains("main") && outcome.contains(&machine.path("clone").display().to_string()),
        "{outcome}"
    );
}

/// "The run's remaining work cannot be saved", and workspaces piled up.
#[tokio::test(flavor = "multi_thread")]
async fn files_outside_a_sparse_checkout_are_kept() {
    let (stub, mut machine) = world().await;
    for directory in ["in", "out"] {
        std::fs::create_dir(machine.path("clone").join(directory)).unwrap();
        std::fs::write(machine.path("clone").join(directory).join("file"), "x").unwrap();
    }
    machine.git("clone", &["add", "."]);
    machine.git("clone", &["-c", "user.name=P", "-c", "user.email=p@x", "commit", "-qm", "Directories"]);
    machine.git("clone", &["push", "-q", "origin", "HEAD:refs/heads/main"]);
    machine.git("clone", &["sparse-checkout", "set", "in"]);
    machine.harness("mkdir -p out; echo new >out/new; echo changed >in/file; date >in/work; git add in/work; git commit -qm Work");
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    assert_eq!(stub.finish_of("run-1").await.result, FinishResult::Succeeded);
    let show = |file: &str| machine.git("clone", &["show", &format!("refs/svc/kept/run-1:{file}")]);
    assert_eq!(
        (show("out/new"), show("in/file"), show("out/file")),
        ("new".into(), "changed".into(), "x".into())
    );
}

/// Everything went with the workspace.
#[tokio::test(flavor = "multi_thread")]
async fn files_of_a_checkout_whose_repository_is_gone_are_kept() {
    let (stub, mut machine) = world().await;
    machine.harness("echo new >new.txt; echo changed >README.md; rm -rf .git");
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.failure_reason.as_deref(), Some("nothing-delivered"), "{finish:?}");
    assert!(finish.outcome.as_ref().is_some_and(|told| told.contains("refs/svc/kept/run-1")), "{finish:?}");
    let show = |file: &str| machine.git("clone", &["show", &format!("refs/svc/kept/run-1:{file}")]);
    assert_eq!((show("new.txt"), show("README.md")), ("new".into(), "changed".into()));
}

//! The built runner against a loopback instance, with real repositories and the demo agent.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod artifacts;
mod attached;
mod delivered;
mod escapes;
mod follow_ups;
mod isolation;
mod kept;
mod killed;
mod layouts;
mod machine;
mod persons;
mod settings;
mod strays;
mod stub;
mod table;
mod told;

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use svc_api::factory::{LogStream, RunKind};
use svc_api::runner::FinishResult;

use machine::{Machine, TOKEN, assignment, lives, succeeded};
use stub::Stub;

async fn world() -> (Stub, Machine) {
    let (stub, url) = Stub::serve().await;
    stub.world().secrets.insert("jrn_one".into(), "demo".into());
    let machine = Machine::new(&url);
    (stub, machine)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_ends_with_a_pushed_branch_and_a_readable_log() {
    let (stub, machine) = world().await;
    let before = machine.git("clone", &["status", "--porcelain=v2", "--branch"]);
    let runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;

    assert_eq!(
        (finish.result, finish.exit_code),
        (FinishResult::Succeeded, Some(0)),
        "{finish:?} {}",
        machine.told()
    );
    assert_eq!(finish.pushed_branch.as_deref(), Some("prj-7-greet-in-welsh"));
    assert_eq!((finish.cost, finish.fence), (Some(0.0), 3));
    assert!(finish.outcome.unwrap().contains("no model worked on this"));
    let page = machine.at_origin("prj-7-greet-in-welsh", "docs/work/PRJ-7.md").unwrap();
    assert!(page.contains("# PRJ-7: Greet in Welsh") && page.contains("Say bore da."), "{page}");
    let author = machine.git("origin.git", &["log", "-1", "--format=%an <%ae> %cn", "prj-7-greet-in-welsh"]);
    assert_eq!(author, "Ada Agent <ada@agents.example> Ada Agent");
    assert_eq!(machine.git("clone", &["status", "--porcelain=v2", "--branch"]), before);

    {
        let world = stub.world();
        let heard = &world.runs["run-1"];
        assert_eq!(heard.started.as_ref().unwrap().harness_session, finish.harness_session);
        assert!(heard.text().contains("I am the demo agent") && heard.text().contains("The run succeeded"));
        assert!(heard.log.iter().any(|entry| entry.stream == LogStream::Event));
    }
    runner.signal();
    assert_eq!(runner.end().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_run_directory_is_private_and_outside_the_checkout() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    stub.finish_of("run-1").await;
    let directory = machine.run_directory("run-1");
    let mode = |name: &str| std::fs::metadata(directory.join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (mode("prompt.md"), mode("mcp.json"), mode("attachments"), mode(".")),
        (0o600, 0o600, 0o700, 0o700)
    );
    let mcp = std::fs::read_to_string(directory.join("mcp.json")).unwrap();
    assert!(mcp.contains("Bearer ${SVC_TOKEN}") && mcp.contains("/mcp") && !mcp.contains(TOKEN));
    let mut status = std::process::Command::new("git");
    let status = status.args(["status", "--porcelain"]).current_dir(directory.join("repo")).output().unwrap();
    assert!(status.stdout.is_empty(), "nothing of it can be committed");
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_do_not_reach_the_log_in_any_form() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: print-secret"));
    stub.finish_of("run-1").await;
    let text = stub.world().runs["run-1"].text();
    assert!(text.contains("SVC_TOKEN=[redacted]") && text.contains("on stderr too: [redacted]"), "{text}");
    let hex: String = TOKEN.bytes().map(|byte| format!("{byte:02x}")).collect();
    // "jrt_the-runs-own" in base64.
    for form in [TOKEN, &hex, "anJ0X3RoZS1ydW5zLW93"] {
        assert!(!text.contains(form), "{form} in {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_ends_a_grandchild_in_a_session_of_its_own() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: spawn-grandchild\ndemo-agent: sleep 300"));
    let file = machine.run_directory("run-1").join("grandchild.pid");
    let pid = stub
        .until("the grandchild runs", |_| {
            let text = std::fs::read_to_string(&file).ok()?;
            text.trim().parse::<u32>().ok().map(|pid| pid.to_string())
        })
        .await;
    assert!(lives(&pid));
    stub.world().cancelled.insert("run-1".into());
    let finish = stub.finish_of("run-1").await;
    assert_eq!((finish.result, finish.failure_reason), (FinishResult::Cancelled, None));
    assert!(!lives(&pid), "the grandchild is gone before the end is reported");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_finished_harness_left_running_is_ended() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: spawn-grandchild"));
    stub.finish_of("run-1").await;
    let pid = std::fs::read_to_string(machine.run_directory("run-1").join("grandchild.pid")).unwrap();
    assert!(!lives(pid.trim()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_limit_stops_the_harness() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    let mut limited = assignment("run-1", "demo-agent: sleep 300");
    // Long enough for the harness to start on a busy machine.
    limited.time_limit_seconds = 10;
    stub.queue(limited);
    let finish = stub.finish_of("run-1").await;
    assert_eq!((finish.result, finish.exit_code), (FinishResult::TimedOut, Some(143)));
    assert!(finish.harness_session.is_some(), "the run can be continued");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_network_loses_no_line_and_no_end() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    stub.world().lose_answer = true;
    stub.queue(assignment("run-1", "demo-agent: sleep 1\ndemo-agent: lines 3000"));
    stub.until("the log begins", |world| (!world.runs.get("run-1")?.log.is_empty()).then_some(())).await;
    stub.world().cut = true;
    tokio::time::sleep(Duration::from_secs(5)).await;
    stub.world().cut = false;
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.result, FinishResult::Succeeded);
    let world = stub.world();
    let lines: Vec<&str> = world.runs["run-1"]
        .log
        .iter()
        .map(|entry| entry.text.as_str())
        .filter(|text| text.starts_with("line "))
        .collect();
    let expected: Vec<String> = (1..=3000).map(|n| format!("line {n} of 3000")).collect();
    assert_eq!(lines, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_truncated_log_does_not_change_the_run() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    stub.world().truncate = true;
    // About 100 bytes each: more than a tail.
    stub.queue(assignment("run-1", "demo-agent: lines 20000"));
    assert_eq!(stub.finish_of("run-1").await.result, FinishResult::Succeeded);
    let world = stub.world();
    let heard = &world.runs["run-1"];
    assert!(!heard.text().contains("The run succeeded"), "nothing more was sent at first");
    let (first, tail) = heard.tail.as_ref().expect("the end of the log is sent");
    assert!(*first > heard.log.len() as u64 && *first > 1_000, "it begins with {first}");
    let bytes: usize = tail.iter().map(|entry| entry.text.len() + 40).sum();
    assert!((128 * 1024..=256 * 1024).contains(&bytes), "{bytes}");
    assert_eq!(tail.last().map(|entry| entry.text.as_str()), Some("The run succeeded"));
}

#[tokio::test(flavor = "multi_thread")]
async fn harness_failures_keep_their_reasons() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    for (run, directive, reason) in [
        ("run-1", "fail rate-limited", "harness-rate-limited"),
        ("run-2", "fail overloaded", "harness-transient"),
        ("run-3", "fail not-authenticated", "harness-not-authenticated"),
        ("run-4", "exit 3", "harness-crashed"),
    ] {
        stub.queue(assignment(run, &format!("demo-agent: {directive}")));
        let finish = stub.finish_of(run).await;
        assert_eq!(
            (finish.result, finish.failure_reason.as_deref()),
            (FinishResult::Failed, Some(reason)),
            "{run}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_start_fails_with_its_reason() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    let mut elsewhere = assignment("run-1", "");
    elsewhere.project = "OTHER".into();
    let mut unknown = assignment("run-2", "");
    unknown.harness = svc_api::factory::Harness::Harness4;
    let mut model = assignment("run-3", "");
    model.model = Some("--dangerous".into());
    for (run, assignment, reason) in [
        ("run-1", elsewhere, "no-local-repository"),
        ("run-2", unknown, "harness-unavailable"),
        ("run-3", model, "harness-model-unavailable"),
    ] {
        stub.queue(assignment);
        let finish = stub.finish_of(run).await;
        assert_eq!((finish.failure_reason.as_deref(), finish.exit_code), (Some(reason), None), "{run}");
        // Nothing to continue, nothing kept.
        stub.until("the workspace is gone", |_| (!machine.run_directory(run).exists()).then_some(())).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn commits_that_the_agent_did_not_push_are_pushed() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: no-push"));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.pushed_branch.as_deref(), Some("prj-7-greet-in-welsh"));
    assert!(stub.world().runs["run-1"].text().contains("the agent had not"));
    assert!(machine.at_origin("prj-7-greet-in-welsh", "docs/work/PRJ-7.md").is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_success_without_a_commit_is_a_failure() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: no-commit"));
    let finish = stub.finish_of("run-1").await;
    assert_eq!((finish.result, finish.pushed_branch), (FinishResult::Failed, None));
    assert_eq!(finish.failure_reason.as_deref(), Some("nothing-delivered"));
    assert!(finish.outcome.unwrap().contains("No commit was made."));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_continued_in_its_workspace_or_not_at_all() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: fail overloaded"));
    let session = stub.finish_of("run-1").await.harness_session;
    assert!(session.is_some());
    let mut again = assignment("run-2", "");
    again.kind = RunKind::Continue;
    again.resume_session = session.clone();
    again.earlier_run_id = Some("run-1".into());
    let mut lost = again.clone();
    stub.queue(again);
    let finish = stub.finish_of("run-2").await;
    assert_eq!((finish.result, &finish.harness_session), (FinishResult::Succeeded, &session));
    assert!(machine.run_directory("run-1").join("repo/docs/work/PRJ-7.md").exists(), "same checkout");
    lost.run_id = "run-3".into();
    lost.earlier_run_id = Some("run-0".into());
    stub.queue(lost);
    assert_eq!(stub.finish_of("run-3").await.failure_reason.as_deref(), Some("session-unavailable"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_run_removes_the_items_kept_workspace() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    stub.finish_of("run-1").await;
    assert!(machine.run_directory("run-1").join("repo").exists());
    stub.queue(assignment("run-2", ""));
    stub.finish_of("run-2").await;
    assert!(!machine.run_directory("run-1").exists());
    let begun = machine.git("clone", &["for-each-ref", "--format=%(refname)", "refs/svc/runs"]);
    assert_eq!(begun, "refs/svc/runs/run-2", "nothing else is kept from being collected");
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_of_two_organizations_never_overlap() {
    let (stub, machine) = world().await;
    stub.world().secrets.insert("jrn_two".into(), "other".into());
    succeeded(&machine.register("jrn_two"));
    succeeded(&machine.tell(&["map", "PRJ", "clone", "--org", "other"]));
    succeeded(&machine.register("jrn_one"));
    succeeded(&machine.tell(&["map", "PRJ", "clone", "--org", "demo"]));
    let mut foreign = assignment("run-2", "");
    foreign.organization = "other".into();
    let _runner = machine.go(&["--parallel", "4"]);
    stub.until("both organizations are polled", |world| (world.waiting.len() == 2).then_some(())).await;
    stub.queue_all([assignment("run-1", ""), foreign]);
    stub.until("one run is given back and the other ends", |world| {
        let (one, two) = (world.runs.get("run-1")?, world.runs.get("run-2")?);
        let (back, done) = if one.given_back.is_some() { (one, two) } else { (two, one) };
        (back.given_back.is_some() && back.started.is_none() && done.finish.is_some()).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_secret_ends_the_runner_with_5() {
    let (stub, machine) = world().await;
    let runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: sleep 300"));
    stub.until("the run starts", |world| world.runs.get("run-1")?.started.clone()).await;
    stub.world().secrets.clear();
    assert_eq!(runner.end().await, 5);
    assert!(machine.told().contains("register again"), "{}", machine.told());
    assert!(stub.world().runs["run-1"].finish.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_signal_waits_and_the_second_cancels() {
    let (stub, machine) = world().await;
    let runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: sleep 300"));
    stub.until("the run starts", |world| world.runs.get("run-1")?.started.clone()).await;
    runner.signal();
    stub.queue(assignment("run-2", ""));
    stub.until("the runner says that it waits", |_| {
        machine.told().contains("stopping after 1 run in flight").then_some(())
    })
    .await;
    assert!(stub.world().runs["run-1"].finish.is_none());
    runner.signal();
    assert_eq!(runner.end().await, 0);
    let world = stub.world();
    assert_eq!(world.runs["run-1"].finish.as_ref().unwrap().result, FinishResult::Cancelled);
    assert!(!world.runs.contains_key("run-2"), "nothing more was taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runner_that_is_stopped_tells_the_instance_that_it_is_gone() {
    let (stub, machine) = world().await;
    let runner = machine.start(&[]);
    stub.until("the runner is connected", |_| machine.told().contains("connected to").then_some(())).await;
    assert!(!stub.world().hellos.iter().any(|hello| hello.leaving));
    runner.signal();
    assert_eq!(runner.end().await, 0);
    let last = stub.world().hellos.pop().unwrap();
    assert!(last.leaving && last.harnesses.len() == 1, "{last:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_third_signal_waits_for_no_network_and_leaves_nothing_behind() {
    let (stub, machine) = world().await;
    let runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: spawn-grandchild\ndemo-agent: sleep 300"));
    let file = machine.run_directory("run-1").join("grandchild.pid");
    stub.until("the grandchild runs", |_| std::fs::read_to_string(&file).ok()?.ends_with('\n').then_some(()))
        .await;
    let pid = std::fs::read_to_string(&file).unwrap();
    stub.world().cut = true;
    for told in ["stopping after", "interrupt again to leave"] {
        runner.signal();
        stub.until(told, |_| machine.told().contains(told).then_some(())).await;
    }
    runner.signal();
    assert_eq!(runner.end().await, 1);
    assert!(
        machine.told().contains("interrupt again to leave") && stub.world().runs["run-1"].finish.is_none()
    );
    // A process that was killed is gone when it is scheduled next.
    stub.until("the grandchild is gone", |_| (!lives(pid.trim())).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_registered_while_the_runner_works_connects() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    stub.world().secrets.insert("jrn_two".into(), "other".into());
    succeeded(&machine.register("jrn_two"));
    succeeded(&machine.tell(&["map", "PRJ", "clone", "--org", "other"]));
    let mut foreign = assignment("run-2", "");
    foreign.organization = "other".into();
    stub.queue(foreign);
    assert_eq!(stub.finish_of("run-2").await.result, FinishResult::Succeeded);
}

#[tokio::test(flavor = "multi_thread")]
async fn registering_verifies_before_it_saves() {
    let (stub, machine) = world().await;
    let code = |output: std::process::Output| output.status.code();
    assert_eq!(code(machine.register("jrn_unknown")), Some(5));
    assert_eq!(code(machine.register("pat_no-runner-secret")), Some(2));
    assert!(!machine.path("config/svc/runner.json").exists());
    assert_eq!(code(machine.tell(&["start"])), Some(5), "nothing is registered");
    assert_eq!(code(machine.tell(&["map", "PRJ", "clone"])), Some(2));
    assert_eq!(code(machine.register("jrn_one")), Some(0));
    assert_eq!(code(machine.tell(&["map", "PRJ", "home"])), Some(2), "no repository");
    assert_eq!(code(machine.tell(&["map", "prj", "clone"])), Some(0));
    assert_eq!(code(machine.tell(&["root", "."])), Some(0));
    let hello = stub.world().hellos.pop().unwrap();
    assert_eq!((hello.label.as_deref(), hello.harnesses.len()), (Some("box"), 1));

    stub.world().secrets.insert("jrn_rotated".into(), "demo".into());
    assert_eq!(code(machine.register("jrn_rotated")), Some(0));
    let status = machine.tell(&["status", "--json"]);
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(status["profiles"].as_array().unwrap().len(), 1);
    assert_eq!(status["profiles"][0]["workspaces"]["PRJ"], machine.path("clone").to_str().unwrap());
    assert_eq!(status["profiles"][0]["repoRoots"].as_array().unwrap().len(), 1);
    assert_eq!(status["harnesses"][0]["id"], "harness_1");
    assert_eq!(code(machine.tell(&["map", "PRJ", "--remove"])), Some(0));
    assert_eq!(code(machine.tell(&["map", "PRJ", "--remove"])), Some(4));
    assert_eq!(code(machine.tell(&["remove", "demo"])), Some(0));
    assert_eq!(code(machine.tell(&["remove", "demo"])), Some(4));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_push_that_origin_refuses_is_no_success_and_the_work_is_kept() {
    let (stub, machine) = world().await;
    machine.refuse_pushes();
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: no-push\ndemo-agent: dirty"));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(
        (finish.result, finish.failure_reason.as_deref()),
        (FinishResult::Failed, Some("nothing-delivered"))
    );
    assert_eq!((finish.pushed_branch, finish.remote_head), (None, None));
    let kept = machine.git("clone", &["log", "--format=%H", "refs/svc/kept/run-1"]);
    assert!(kept.contains(&finish.local_head.unwrap()), "{kept}");
    assert_eq!(machine.git("clone", &["show", "refs/svc/kept/run-1:left-over.txt"]), "not committed");
    assert!(!stub.world().runs["run-1"].text().contains("The run succeeded"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_success_names_the_commit_that_origin_has() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    let finish = stub.finish_of("run-1").await;
    let head = machine.git("origin.git", &["rev-parse", "prj-7-greet-in-welsh"]);
    assert_eq!((finish.local_head.as_ref(), finish.remote_head.as_ref()), (Some(&head), Some(&head)));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_run_changed_is_told_without_secrets() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    let file = format!("demo-agent: git commit --allow-empty -m Use-{TOKEN}");
    stub.queue(assignment("run-1", &file));
    let finish = stub.finish_of("run-1").await;
    let changes = stub.world().runs["run-1"].changes.clone().expect("changes come before the finish");
    assert_eq!((changes.head, changes.truncated), (finish.local_head, false));
    assert!(changes.commits.iter().any(|commit| commit.title == "Use-[redacted]"), "{:?}", changes.commits);
    assert_eq!((changes.commit_count, changes.file_count), (changes.commits.len() as u64, 1));
    let patch = changes.patch.expect("a patch");
    assert!(patch.starts_with("diff --git a/") && changes.files[0].in_patch, "{patch}");
    assert!(!patch.contains(TOKEN));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_gives_up_fails_in_its_own_words() {
    let (stub, machine) = world().await;
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: give-up the item contradicts itself"));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.failure_reason.as_deref(), Some("harness-failed"));
    assert_eq!(finish.failure_detail.as_deref(), Some("the item contradicts itself"));
    let prompt = std::fs::read_to_string(machine.run_directory("run-1").join("prompt.md")).unwrap();
    assert!(
        prompt.contains("svc run fail --reason") && prompt.contains("failure.txt"),
        "an older service: {prompt}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_agent_makes_of_the_mapped_clone_is_put_back() {
    let (stub, machine) = world().await;
    machine.git(".", &["init", "-q", "--bare", "elsewhere.git"]);
    let before = std::fs::read_to_string(machine.path("clone/.git/config")).unwrap();
    let _runner = machine.start(&[]);
    let elsewhere = machine.path("elsewhere.git");
    stub.queue(assignment(
        "run-1",
        &format!(
            "demo-agent: git remote set-url origin {}\ndemo-agent: git config user.name Mallory\n\
             demo-agent: git config --global user.name Mallory\ndemo-agent: no-push",
            elsewhere.display()
        ),
    ));
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.pushed_branch.as_deref(), Some("prj-7-greet-in-welsh"), "{finish:?}");
    assert!(machine.at_origin("prj-7-greet-in-welsh", "docs/work/PRJ-7.md").is_some());
    assert_eq!(machine.git("elsewhere.git", &["for-each-ref"]), "");
    assert_eq!(std::fs::read_to_string(machine.path("clone/.git/config")).unwrap(), before);
    assert!(!machine.path("home/.gitconfig").exists());
    let log = stub.world().runs["run-1"].text();
    assert!(log.contains("remote.origin.url, user.name"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_runners_harness_dies_and_the_next_runner_reports_it() {
    let (stub, machine) = world().await;
    let runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: dirty\ndemo-agent: spawn-grandchild\ndemo-agent: sleep 300"));
    let file = machine.run_directory("run-1").join("grandchild.pid");
    stub.until("the session is known and the grandchild runs", |world| {
        std::fs::read_to_string(&file).ok()?.ends_with('\n').then_some(())?;
        world.runs.get("run-1")?.started.as_ref()?.harness_session.clone()
    })
    .await;
    let pid = std::fs::read_to_string(&file).unwrap();
    drop(runner);
    stub.until("the processes of the run are gone", |_| (!lives(pid.trim())).then_some(())).await;
    let _runner = machine.go(&[]);
    let finish = stub.finish_of("run-1").await;
    assert_eq!(finish.failure_reason.as_deref(), Some("harness-crashed"));
    assert!(finish.harness_session.is_some(), "it can be continued");
    assert_eq!(machine.git("clone", &["show", "refs/svc/kept/run-1:left-over.txt"]), "not committed");
    stub.queue(assignment("run-2", ""));
    assert_eq!(stub.finish_of("run-2").await.result, FinishResult::Succeeded);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_terminal_is_a_signal_like_any_other() {
    let (stub, machine) = world().await;
    let runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: sleep 2"));
    stub.until("the run starts", |world| world.runs.get("run-1")?.started.clone()).await;
    runner.send("-HUP");
    assert_eq!(runner.end().await, 0);
    let finish = stub.world().runs["run-1"].finish.clone().unwrap();
    assert_eq!(finish.result, FinishResult::Succeeded, "it was waited for");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rotated_secret_that_is_registered_in_time_lets_the_run_go_on() {
    let (stub, mut machine) = world().await;
    // Longer than any machine takes to register.
    machine.environment.push(("SVC_RUNNER_SECRET_GRACE".into(), "600".into()));
    let _runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: sleep 4"));
    stub.until("the run starts", |world| world.runs.get("run-1")?.started.clone()).await;
    {
        let mut world = stub.world();
        world.secrets.clear();
        world.secrets.insert("jrn_rotated".into(), "demo".into());
    }
    succeeded(&machine.register("jrn_rotated"));
    assert_eq!(stub.finish_of("run-1").await.result, FinishResult::Succeeded, "{}", machine.told());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_says_what_is_wrong_and_how_to_mend_it() {
    let (_stub, machine) = world().await;
    let before = machine.tell(&["doctor"]);
    assert_eq!(before.status.code(), Some(1));
    let said = String::from_utf8_lossy(&before.stdout).into_owned();
    assert!(said.contains("bad   no organization is registered\n      → run `svc runner register"), "{said}");
    for told in [machine.register_on_stdin("jrn_one"), machine.tell(&["map", "PRJ", "clone", "--isolated"])] {
        succeeded(&told);
    }
    let after = machine.tell(&["doctor", "--json"]);
    let said = String::from_utf8_lossy(&after.stdout).into_owned();
    assert_eq!(after.status.code(), Some(0), "{said}");
    assert!(said.contains("connected as runner box") && !said.contains("jrn_"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_can_ask_for_clones_of_its_own() {
    let (stub, machine) = world().await;
    for told in [machine.register("jrn_one"), machine.tell(&["map", "PRJ", "clone", "--isolated"])] {
        succeeded(&told);
    }
    let _runner = machine.go(&[]);
    stub.queue(assignment("run-1", ""));
    assert_eq!(stub.finish_of("run-1").await.result, FinishResult::Succeeded);
    assert!(!machine.run_directory("run-1").join("repo/.git/objects/info/alternates").exists());
    assert_eq!(machine.git("clone", &["for-each-ref", "refs/heads/prj-7-greet-in-welsh"]), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_agent_makes_of_its_own_clone_is_put_back() {
    let (stub, machine) = world().await;
    machine.git(".", &["init", "-q", "--bare", "evil.git"]);
    for told in [machine.register("jrn_one"), machine.tell(&["map", "PRJ", "clone", "--isolated"])] {
        succeeded(&told);
    }
    let _runner = machine.go(&[]);
    let (evil, origin) = (machine.path("evil.git"), machine.git("clone", &["remote", "get-url", "origin"]));
    let rule = |name: &str| format!("demo-agent: git config --add url.{}.{name} {origin}\n", evil.display());
    let mut direct = assignment("run-2", "");
    direct.delivery_mode = svc_api::factory::DeliveryMode::PushToDefaultBranch;
    for mut run in [assignment("run-1", ""), direct] {
        let monitor = "demo-agent: git config filter.x.clean false\ndemo-agent: no-push";
        run.prompt = format!("{}\n{}{}{monitor}", run.prompt, rule("insteadOf"), rule("pushInsteadOf"));
        let id = run.run_id.clone();
        stub.queue(run);
        let finish = stub.finish_of(&id).await;
        assert_eq!(finish.result, FinishResult::Succeeded, "{finish:?}");
        let branch = finish.pushed_branch.expect("a branch");
        assert!(machine.at_origin(&branch, "docs/work/PRJ-7.md").is_some());
        assert_eq!(machine.git("evil.git", &["for-each-ref"]), "");
        let log = stub.world().runs[&id].text();
        assert!(log.contains("filter.x.clean") && log.contains("and restored"), "{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn values_of_copied_files_stay_hidden_when_a_run_is_continued() {
    let (stub, machine) = world().await;
    std::fs::write(machine.path("clone/.gitignore"), ".env\n").unwrap();
    std::fs::write(machine.path("clone/.env"), "PIN=hunter2\n").unwrap();
    machine.git("clone", &["add", ".gitignore"]);
    machine.git("clone", &["-c", "user.name=P", "-c", "user.email=p@x", "commit", "-qm", "Ignore"]);
    machine.git("clone", &["push", "-q", "origin", "HEAD:refs/heads/main"]);
    for told in [machine.register("jrn_one"), machine.tell(&["map", "PRJ", "clone", "--copy", ".env"])] {
        succeeded(&told);
    }
    let _runner = machine.go(&[]);
    let prompt = "demo-agent: git log hunter2\ndemo-agent: fail overloaded";
    stub.queue(assignment("run-1", prompt));
    let session = stub.finish_of("run-1").await.harness_session;
    // Not copied any more; the checkout still has it.
    succeeded(&machine.tell(&["map", "PRJ", "clone"]));
    let mut again = assignment("run-2", prompt);
    again.kind = RunKind::Continue;
    again.resume_session = session;
    again.earlier_run_id = Some("run-1".into());
    stub.queue(again);
    stub.finish_of("run-2").await;
    for id in ["run-1", "run-2"] {
        let log = stub.world().runs[id].text();
        assert!(log.contains("git log [redacted]") && !log.contains("hunter2"), "{id}: {log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_runners_do_not_work_in_one_directory() {
    let (_stub, machine) = world().await;
    let _runner = machine.start(&[]);
    for _ in 0..15_000 {
        if machine.told().contains("takes up to") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let second = machine.tell(&["start"]);
    assert_eq!(second.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&second.stderr).contains("another runner is using"));
}

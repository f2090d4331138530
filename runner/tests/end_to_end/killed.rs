//! A runner that is killed, and the next one: no run is forgotten, and none is cleared away while it works.

use svc_api::runner::FinishResult;

use crate::machine::assignment;
use crate::world;

/// It knew nothing of its run, which waited until it counted as lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_was_taken_by_a_runner_that_died_before_it_heard_of_it_is_done_by_the_next() {
    let (stub, machine) = world().await;
    stub.world().silent_take = true;
    let runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    stub.until("the run is taken", |world| (!world.silent_take).then_some(())).await;
    drop(runner);
    assert!(!machine.run_directory("run-1").exists(), "it was told of nothing");
    let _runner = machine.go(&[]);
    assert_eq!(stub.finish_of("run-1").await.result, FinishResult::Succeeded);
    stub.queue(assignment("run-2", ""));
    assert_eq!(stub.finish_of("run-2").await.result, FinishResult::Succeeded, "and it goes on after that");
}

/// The dead run's directory was removed after the run was given back: while the same runner worked there again.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_given_back_and_taken_again_keeps_its_workspace() {
    let (stub, machine) = world().await;
    stub.world().silent_attachments = true;
    let runner = machine.start(&[]);
    stub.queue(assignment("run-1", ""));
    stub.until("the workspace is there", |world| world.asked_for_attachments.then_some(())).await;
    drop(runner);
    stub.world().silent_attachments = false;
    stub.world().requeues = true;
    let runner = machine.go(&[]);
    assert_eq!(stub.finish_of("run-1").await.result, FinishResult::Succeeded);
    assert!(machine.at_origin("prj-7-greet-in-welsh", "docs/work/PRJ-7.md").is_some());
    runner.signal();
    assert_eq!(runner.end().await, 0);
    assert!(manifest(&machine, "run-1").contains("\"endedAt\": \""));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runner_that_is_stopped_while_it_recovers_sees_that_through() {
    let (stub, machine) = world().await;
    let runner = machine.start(&[]);
    stub.queue(assignment("run-1", "demo-agent: sleep 300"));
    stub.until("the session is known", |world| {
        world.runs.get("run-1")?.started.as_ref()?.harness_session.clone()
    })
    .await;
    drop(runner);
    stub.world().silent_finish = true;
    let runner = machine.go(&[]);
    stub.finish_of("run-1").await;
    runner.signal();
    stub.until("the signal is heard", |_| machine.told().contains("stopping").then_some(())).await;
    stub.world().silent_finish = false;
    assert_eq!(runner.end().await, 0);
    assert!(manifest(&machine, "run-1").contains("\"endedAt\": \""));
}

fn manifest(machine: &crate::machine::Machine, run: &str) -> String {
    std::fs::read_to_string(machine.record(run, "workspace.json")).unwrap_or_default()
}

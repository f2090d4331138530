//! Stopping in order: the server does not wait for those who wait for work, a runner finishes what it began.

use std::time::Duration;

use rustix::process::Signal;
use svc_api::factory::RunStatus;
use svc_end_to_end::{Proxy, Stage, eventually};

/// Far less than a request for work may wait (20 seconds), with room for a busy machine.
const STOP: Duration = Duration::from_secs(8);
const BOUND: Duration = Duration::from_secs(300);

#[tokio::test(flavor = "multi_thread")]
async fn a_server_stops_while_a_runner_waits_for_work_and_the_runner_finds_it_again() {
    let mut stage = Stage::set(&[]).await;
    let network = Proxy::to(stage.server.address()).await;
    let agent = stage.agent("begin; deliver; succeed done");
    let _runner = stage.runner_over(network.url(), agent.program()).await;
    eventually("a waiting request for work", BOUND, async || (network.takes() > 0).then_some(())).await;
    // An answer of the server now means that it has read what came before.
    stage.client().me().await.unwrap();

    let took = stage.server.stop(STOP).await;
    assert!(took < STOP, "{took:?}");

    stage.server.start_again().await;
    let item = stage.new_item("After the restart").await;
    let run = stage.start_run(&item.key).await;
    assert_eq!(stage.ended(&run.id).await.status, RunStatus::Succeeded);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_at_the_very_start_stops_a_server_in_order() {
    let mut stage = Stage::set(&[]).await;
    stage.server.stop(BOUND).await;
    for _ in 0..3 {
        stage.server.stop_at_once(BOUND).await;
    }
    stage.server.start_again().await;
    stage.client().me().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runner_that_is_told_to_stop_finishes_its_run_and_takes_no_other() {
    let stage = Stage::set(&[]).await;
    let agent = stage.agent("begin; note begun ''; await go; deliver; succeed done");
    let mut runner = stage.runner(agent.program()).await;
    let (first, second) = (stage.new_item("Begun").await, stage.new_item("Not begun").await);
    let run = stage.start_run(&first.key).await;
    agent.note("begun").await;

    runner.process().signal(Signal::TERM);
    let waiting = stage.start_run(&second.key).await;
    agent.tell("go");
    let status = runner.process().ended(BOUND).await;

    assert!(status.success(), "{status}:\n{}", runner.process().tail());
    let run = stage.client().run(&run.id).await.unwrap();
    assert_eq!(run.status, RunStatus::Succeeded, "it was reported before the runner ended: {run:?}");
    assert_eq!(stage.client().run(&waiting.id).await.unwrap().status, RunStatus::Queued);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_stops_the_run_too() {
    let stage = Stage::set(&[]).await;
    let agent = stage.agent("begin; note leader $$; await never");
    let mut runner = stage.runner(agent.program()).await;
    let item = stage.new_item("Interrupted").await;
    let run = stage.start_run(&item.key).await;
    let leader = agent.pid("leader").await;
    stage.run_when(&run.id, "is running", |run| run.status == RunStatus::Running).await;

    runner.process().signal(Signal::TERM);
    // The first must have been seen: two signals of a kind that wait are one.
    eventually("the runner says that it stops", BOUND, async || {
        runner.process().printed().contains("interrupt again").then_some(())
    })
    .await;
    runner.process().signal(Signal::TERM);
    runner.process().ended(BOUND).await;

    assert!(!svc_end_to_end::is_alive(leader), "the harness outlived its runner");
    assert_eq!(stage.ended(&run.id).await.status, RunStatus::Cancelled);
}

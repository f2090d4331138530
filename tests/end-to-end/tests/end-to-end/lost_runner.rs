//! A lost runner: its run fails by itself, and what it reports later is refused.

use jiff::Timestamp;
use rustix::process::Signal;
use std::time::Duration;

use svc_api::factory::{Harness, LogStream, RunStatus};
use svc_api::runner::{AppendLog, Finish, FinishResult, Heartbeat, Hello, NewLogEntry, Started, Take};
use svc_end_to_end::{Stage, eventually, is_alive, kill};

/// A runner counts as lost after three seconds, and speaks every second.
const IMPATIENT: [(&str, &str); 2] =
    [("Automation__RunnerLostSeconds", "3"), ("Automation__HeartbeatSeconds", "1")];
/// Works until it is stopped.
const ENDLESS: &str = "begin; note token \"$SVC_TOKEN\"; note leader $$; await never";
const BOUND: Duration = Duration::from_secs(300);

async fn lost(stage: &Stage, run: &str, item: &str) {
    let run = stage.ended(run).await;
    assert_eq!((run.status, run.failure_reason.as_deref()), (RunStatus::Failed, Some("runner-lost")));
    let item = stage.item(item).await;
    assert_eq!((item.claim, item.live_run), (None, None), "the item is free");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_run_of_a_killed_runner_fails_by_itself_and_its_token_dies() {
    let stage = Stage::set(&IMPATIENT).await;
    let agent = stage.agent(ENDLESS);
    let mut runner = stage.runner(agent.program()).await;
    let item = stage.new_item("Left alone").await;
    let run = stage.start_run(&item.key).await;
    let (leader, token) = (agent.pid("leader").await, agent.note("token").await);
    stage.run_when(&run.id, "is running", |run| run.status == RunStatus::Running).await;
    stage.server.client_of(&token).org(stage.org()).item(&item.key).await.unwrap();

    runner.process().kill();
    lost(&stage, &run.id, &item.key).await;

    let orphan = stage.server.client_of(&token).org(stage.org()).item(&item.key).await.unwrap_err();
    assert_eq!(orphan.status(), Some(401), "what the runner left behind can change nothing: {orphan}");
    // The killed runner could not stop its harness.
    kill(leader);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runner_that_comes_back_stops_its_harness_and_works_on() {
    let stage = Stage::set(&IMPATIENT).await;
    let agent = stage
        .agent(&format!("[ -e \"$notes/second\" ] && {{ begin; deliver; succeed done; exit; }}\n{ENDLESS}"));
    let mut runner = stage.runner(agent.program()).await;
    let item = stage.new_item("Slept over").await;
    let run = stage.start_run(&item.key).await;
    let leader = agent.pid("leader").await;
    stage.run_when(&run.id, "is running", |run| run.status == RunStatus::Running).await;

    runner.process().signal(Signal::STOP);
    lost(&stage, &run.id, &item.key).await;
    runner.process().signal(Signal::CONT);

    eventually("the end of the harness", BOUND, async || (!is_alive(leader)).then_some(())).await;
    assert_eq!(
        stage.ended(&run.id).await.failure_reason.as_deref(),
        Some("runner-lost"),
        "terminal is final"
    );
    agent.tell("second");
    let next = stage.start_run(&item.key).await;
    assert_eq!(stage.ended(&next.id).await.status, RunStatus::Succeeded);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_fence_of_a_lost_run_is_refused() {
    let stage = Stage::set(&IMPATIENT).await;
    let client = stage.server.client_of(&stage.server.demo.runner_secret);
    let hello = Hello {
        leaving: false,
        disk_full: false,
        only_asks: false,
        machine_id: "a-machine".into(),
        label: None,
        client_version: "0.1.0".into(),
        platform: "linux-x86_64".into(),
        harnesses: vec![Harness::Harness1],
        parallel: 1,
        service: false,
    };
    client.runner().hello(&hello).await.unwrap();
    let item = stage.new_item("Taken and forgotten").await;
    let run = stage.start_run(&item.key).await;
    let take = Take { harnesses: hello.harnesses, wait_seconds: 10, request_id: "first".into() };
    let assignment = client.runner().take(&take).await.unwrap().unwrap();
    assert_eq!(assignment.run_id, run.id);
    let fence = assignment.fence;
    client.runner().start(&run.id, &Started { fence, harness_session: None }).await.unwrap();

    lost(&stage, &run.id, &item.key).await;

    let entry = NewLogEntry { at: Timestamp::UNIX_EPOCH, stream: LogStream::Stdout, text: "late".into() };
    let log = AppendLog { fence, first_seq: 1, entries: vec![entry], tail: false };
    let finish = Finish {
        fence,
        result: FinishResult::Succeeded,
        failure_reason: None,
        failure_detail: None,
        outcome: Some("late".into()),
        exit_code: Some(0),
        pull_request: None,
        pushed_branch: None,
        local_head: None,
        remote_head: None,
        cost: None,
        tokens: None,
        harness_session: None,
    };
    let refusals = [
        client
            .runner()
            .heartbeat(&run.id, &Heartbeat { fence, wait_seconds: None, tokens: None, cost: None })
            .await
            .unwrap_err(),
        client.runner().append_log(&run.id, &log).await.unwrap_err(),
        client.runner().finish(&run.id, &finish).await.unwrap_err(),
    ];
    for refusal in &refusals {
        assert!(refusal.status() == Some(409) && refusal.is_problem("assignment-ended"), "{refusal}");
    }
    lost(&stage, &run.id, &item.key).await;
    assert!(stage.log(&run.id).await.iter().all(|entry| entry.text != "late"));
}

//! Stopping a run: by a person, by its time limit. Whatever its harness started goes with it.

use std::time::Duration;

use svc_api::factory::RunStatus;
use svc_end_to_end::{Agent, Proxy, Stage, eventually, is_alive};

/// From the end of a run to the end of its processes: SIGTERM, ten seconds, SIGKILL; with room for a busy machine.
const STOP: Duration = Duration::from_secs(300);

/// A harness with a child in its group, a grandchild in a session of its own, and no intention to end.
const BUSY: &str = "
begin
say 'at work'
sh -c 'echo $$ >\"$0/child.part\"; mv \"$0/child.part\" \"$0/child\"; exec sleep 300' \"$notes\" &
setsid sh -c 'echo $$ >\"$0/stranger.part\"; mv \"$0/stranger.part\" \"$0/stranger\"; exec sleep 300' \"$notes\" &
await child
await stranger
note leader $$
await never";

async fn family(agent: &Agent) -> [i32; 3] {
    [agent.pid("leader").await, agent.pid("child").await, agent.pid("stranger").await]
}

async fn all_gone(family: [i32; 3]) {
    eventually("the end of the harness and all that it started", STOP, async || {
        family.iter().all(|pid| !is_alive(*pid)).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_run_leaves_no_process_and_a_free_item() {
    let stage = Stage::set(&[("Automation__HeartbeatSeconds", "1")]).await;
    let agent = stage.agent(BUSY);
    let _runner = stage.runner(agent.program()).await;
    let item = stage.new_item("Begun by mistake").await;
    let run = stage.start_run(&item.key).await;
    let family = family(&agent).await;
    assert!(family.iter().all(|pid| is_alive(*pid)), "{family:?}");
    stage.run_when(&run.id, "is running", |run| run.status == RunStatus::Running).await;
    let begun = stage.item(&item.key).await;

    stage.home.svc_ok(&["run", "cancel", &run.id]).await;

    assert_eq!(stage.ended(&run.id).await.status, RunStatus::Cancelled);
    all_gone(family).await;
    let now = stage.item(&item.key).await;
    assert_eq!(
        (now.claim, now.live_run, now.state),
        (None, None, begun.state),
        "the item is free, and where the run had it"
    );
    assert_eq!(stage.home.svc(&["run", "cancel", &run.id]).await.code, Some(3), "it has ended already");
    let after = stage.ended(&run.id).await;
    assert_eq!(after.status, RunStatus::Cancelled, "whatever the harness reported");
}

/// Its heartbeats are minutes apart and it prints nothing: the held answer tells of the cancel.
#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_reaches_a_silent_harness_long_before_its_next_heartbeat() {
    let settings = [("Automation__HeartbeatSeconds", "120"), ("Automation__RunnerLostSeconds", "600")];
    let stage = Stage::set(&settings).await;
    let agent = stage.agent("note leader $$\nawait never");
    let _runner = stage.runner(agent.program()).await;
    let item = stage.new_item("Silent").await;
    let run = stage.start_run(&item.key).await;
    let harness = agent.pid("leader").await;
    stage.home.svc_ok(&["run", "cancel", &run.id]).await;
    eventually("the end of the harness", STOP, async || (!is_alive(harness)).then_some(())).await;
    assert_eq!(stage.ended(&run.id).await.status, RunStatus::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_past_its_time_limit_is_stopped_and_moves_to_the_failure_state() {
    let stage = Stage::set(&[]).await;
    let org = stage.client().org(stage.org());
    let playbooks = org.playbooks(stage.project()).await.unwrap();
    let playbook = playbooks.iter().find(|playbook| playbook.project_default).unwrap();
    // A limit is a number of minutes. The runner is told fifteen seconds instead, in which the harness starts also on a
    // busy machine.
    let told = format!("\"timeLimitSeconds\":{}", playbook.time_limit_minutes * 60);
    let shorter = format!("{:<width$}", "\"timeLimitSeconds\":15", width = told.len());
    let network = Proxy::replacing(stage.server.address(), &told, &shorter).await;
    let agent = stage.agent(BUSY);
    let _runner = stage.runner_over(network.url(), agent.program()).await;
    let item = stage.new_item("Never done").await;
    let run = stage.start_run(&item.key).await;
    let family = family(&agent).await;
    let begun = stage.item(&item.key).await;

    let run = stage.ended(&run.id).await;

    assert_eq!(run.status, RunStatus::TimedOut, "{run:?}");
    all_gone(family).await;
    let now = stage.item(&item.key).await;
    assert_eq!((now.claim, now.live_run), (None, None));
    let expected = playbook.failure_state.as_ref().unwrap_or(&begun.state);
    assert_eq!(&now.state, expected);
    assert!(stage.comments(&item.key).await.iter().any(|comment| comment.body.contains("time limit")));
}

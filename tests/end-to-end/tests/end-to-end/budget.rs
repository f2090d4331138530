//! A run that uses more than it may is stopped while its harness works, not when it ends.

use std::time::Duration;

use svc_api::factory::RunStatus;
use svc_end_to_end::{Stage, eventually, is_alive};

const BOUND: Duration = Duration::from_secs(300);

/// Says after each message of the model what that used, as the real one does, and goes on for ever.
const HUNGRY: &str = r#"begin
note leader $$
use_up() {
    printf '{"type":"assistant","message":{"id":"%s","content":[],"usage":{"input_tokens":%s,"output_tokens":1}}}\n' "$1" "$2"
}
use_up one 40
await more
use_up two 80
await never"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_run_over_its_tokens_is_stopped_while_it_works_and_says_so() {
    let stage = Stage::set(&[("Automation__HeartbeatSeconds", "1")]).await;
    stage.home.svc_ok(&["factory", "budget", "--tokens-a-run", "100"]).await;
    let agent = stage.agent(HUNGRY);
    let _runner = stage.runner(agent.program()).await;
    let item = stage.new_item("Hungry").await;
    let run = stage.start_run(&item.key).await;
    let leader = agent.pid("leader").await;
    stage.run_when(&run.id, "is running", |run| run.status == RunStatus::Running).await;
    agent.tell("more");

    let ended = stage.ended(&run.id).await;
    assert_eq!(
        (ended.status, ended.failure_reason.as_deref(), ended.failure_detail.as_deref()),
        (RunStatus::Failed, Some("budget-exceeded"), Some("It exceeded the limit of 100 tokens per run."))
    );
    eventually("the end of the harness", BOUND, async || (!is_alive(leader)).then_some(())).await;
    let used = ended.tokens.map(|tokens| tokens.input + tokens.output);
    assert_eq!(used, Some(122), "what it had used is known: {ended:?}");
}

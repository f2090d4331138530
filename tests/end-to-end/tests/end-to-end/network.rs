//! A network that goes away in the middle of a run: the harness goes on, and no line is lost.

use std::time::Duration;

use svc_api::factory::{LogStream, RunStatus};
use svc_end_to_end::{Proxy, Stage, eventually};
use tokio::time::Instant;

/// How long the network stays away at least.
const AWAY: Duration = Duration::from_secs(30);
/// How often the runner has tried in vain at least before it comes back.
const TRIES: usize = 4;
/// How long that takes at most.
const BOUND: Duration = Duration::from_secs(300);

const LINES: usize = 400;

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_network_loses_no_line_of_the_log() {
    let stage = Stage::set(&[("Automation__HeartbeatSeconds", "1")]).await;
    let network = Proxy::to(stage.server.address()).await;
    let half = LINES / 2;
    let agent = stage.agent(&format!(
        "begin
         line=0
         while [ $line -lt {LINES} ]; do
             line=$((line + 1))
             say \"line $line\"
             [ $line -eq {half} ] && {{ note half ''; await cut; }}
         done
         note all ''
         await mended
         deliver
         succeed done"
    ));
    let _runner = stage.runner_over(network.url(), agent.program()).await;
    let item = stage.new_item("Written in a tunnel").await;
    let run = stage.start_run(&item.key).await;
    agent.note("half").await;

    network.cut();
    let began = Instant::now();
    agent.tell("cut");
    agent.note("all").await;
    eventually("tries in vain", BOUND, async || {
        (network.refused() >= TRIES && began.elapsed() >= AWAY).then_some(())
    })
    .await;
    assert!(spoken(&stage, &run.id).await.len() < LINES, "the network was not away");
    network.mend();
    agent.tell("mended");

    let run = stage.ended(&run.id).await;
    assert_eq!(run.status, RunStatus::Succeeded, "{run:?}");
    let expected: Vec<String> = (1..=LINES).map(|line| format!("line {line}")).collect();
    assert_eq!(spoken(&stage, &run.id).await, expected, "every line once, in order");
}

/// What the agent said, as the log has it.
async fn spoken(stage: &Stage, run: &str) -> Vec<String> {
    let log = stage.log(run).await;
    let said = log.into_iter().filter(|entry| entry.stream == LogStream::Stdout);
    said.map(|entry| entry.text).filter(|text| text.starts_with("line ")).collect()
}

//! Runs: how soon a queued run's harness starts, and how soon a line that it prints can be read.

use std::time::Duration;

use svc_api::factory::RunStatus;
use svc_end_to_end::{Agent, Proxy, Stage, eventually, program};
use tokio::time::sleep;

use crate::clock;
use crate::report::{Report, Target, Unit, median, percentile};

const RUNS: usize = 20;
const LINES: usize = 100;
const BOUND: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(20);

pub(crate) async fn runs(report: &mut Report) {
    let stage = Stage::set(&[]).await;
    // The real runner and the bundled agent, started by a script that notes when.
    let agent = stage.agent(&format!(
        "date +%s%N >\"$notes/part\"; mv \"$notes/part\" \"$notes/started\"\nexec '{}' \"$@\"",
        program("demo-agent").display()
    ));
    let network = Proxy::to(stage.server.address()).await;
    let runner = stage.runner_over(network.url(), agent.program()).await;
    let mut starts = Vec::new();
    let mut asked = 0;
    for number in 0..RUNS {
        // The runner is idle when it has asked for work again.
        eventually("an idle runner", BOUND, async || (network.takes() > asked).then_some(())).await;
        asked = network.takes();
        starts.push(queued_to_started(&stage, &agent, number).await);
    }
    let p95 = percentile(&starts, 0.95);
    report.budget("queued to harness process started, p95", Target::AtMost(100.0), p95, Unit::Millis);
    report.detail("median", median(&starts), Unit::Millis);
    runner.stop(BOUND).await;
    log_lines(report).await;
}

/// Milliseconds from the request that starts a run to the first instruction of its harness.
async fn queued_to_started(stage: &Stage, agent: &Agent, number: usize) -> f64 {
    let item = stage.new_item(&format!("Run {number}")).await;
    agent.forget("started");
    let began = clock::now();
    let org = stage.client().org(stage.org());
    let run = org.start_run(&item.key, &Default::default()).await.expect("a run can be started");
    let started = clock::parse(&agent.note("started").await).expect("the note is a time");
    let run = stage.ended(&run.id).await;
    assert_eq!(run.status, RunStatus::Succeeded, "{run:?}");
    started.saturating_sub(began).as_secs_f64() * 1000.0
}

async fn log_lines(report: &mut Report) {
    let stage = Stage::set(&[]).await;
    let agent = stage.agent(&format!(
        "begin
         line=0
         while [ $line -lt {LINES} ]; do
             line=$((line + 1))
             say \"$(date +%s%N)\"
             sleep 0.07
         done
         deliver
         succeed done"
    ));
    let _runner = stage.runner(agent.program()).await;
    let item = stage.new_item("Talks").await;
    let run = stage.start_run(&item.key).await;
    let (mut after, mut delays) = (None, Vec::new());
    while delays.len() < LINES {
        let page = stage.client().run_log(&run.id, after).await.expect("the log can be read");
        let now = clock::now();
        after = Some(page.next_after);
        let printed = page.entries.iter().filter_map(|entry| clock::parse(&entry.text));
        delays.extend(printed.map(|printed| now.saturating_sub(printed).as_secs_f64() * 1000.0));
        sleep(POLL).await;
    }
    let p95 = percentile(&delays, 0.95);
    report.budget("log line printed to readable, p95", Target::AtMost(250.0), p95, Unit::Millis);
    report.detail("median", median(&delays), Unit::Millis);
    assert_eq!(stage.ended(&run.id).await.status, RunStatus::Succeeded);
}

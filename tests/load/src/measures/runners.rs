//! Many runners: what those that wait cost the server, and how soon one of them has a run while others' runs wait.

use std::time::Duration;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use svc_api::factory::{Harness, NewRunner, StartRun};
use svc_api::runner::{Assignment, Finish, FinishResult, Hello, Take};
use svc_client::{Client, Error};
use svc_end_to_end::Stage;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use uuid::Uuid;

use super::live::allow_files;
use super::rest::cpu_seconds;
use crate::report::{Report, Target, Unit, median, percentile};

/// Runners that wait and find nothing, and for how long the server's work is looked at.
const IDLE: usize = 500;
const LOOK: Duration = Duration::from_secs(60);

/// Runners that wait while so many runs wait for a harness that none of them has.
const CROWD: usize = 200;
const WAITING: usize = 1_000;
const RUNS: usize = 60;

/// What is begun is settled after this.
const SETTLE: Duration = Duration::from_secs(5);
/// Between a run's end and the start of the next.
const PAUSE: Duration = Duration::from_millis(50);
const BOUND: Duration = Duration::from_secs(60);
/// Requests of the set-up at a time.
const TOGETHER: usize = 8;

const HAD: Harness = Harness::Harness1;
const LACKED: Harness = Harness::Harness2;

/// When a runner heard of a run.
type Taken = (String, Instant);

pub(crate) async fn runners(report: &mut Report) {
    allow_files(8 * IDLE as u64);
    idle(report).await;
    crowd(report).await;
}

async fn idle(report: &mut Report) {
    let stage = Stage::set(&[]).await;
    let (sender, _receiver) = mpsc::unbounded_channel();
    let _runners = begin(&stage, IDLE, &sender).await;
    sleep(SETTLE).await;
    let pid = stage.server.process().pid();
    let (before, began) = (cpu_seconds(pid), Instant::now());
    sleep(LOOK).await;
    let part = (cpu_seconds(pid) - before) / began.elapsed().as_secs_f64();
    report.budget(format!("{IDLE} idle runners, part of a core"), Target::AtMost(0.05), part, Unit::Percent);
}

async fn crowd(report: &mut Report) {
    let stage = Stage::set(&[]).await;
    let waiting = (0..WAITING).map(|number| {
        let stage = &stage;
        async move { start(stage, &format!("Waits {number}"), LACKED).await.map(drop) }
    });
    stream::iter(waiting).buffer_unordered(TOGETHER).try_collect::<()>().await.expect("runs can be queued");
    let (sender, mut taken) = mpsc::unbounded_channel();
    let _runners = begin(&stage, CROWD, &sender).await;
    sleep(SETTLE).await;
    let mut times = Vec::new();
    for number in 0..RUNS {
        let began = Instant::now();
        let run = start(&stage, &format!("Run {number}"), HAD).await.expect("a run can be queued");
        let heard = timeout(BOUND, taken.recv()).await.expect("a runner takes the run in time");
        let (id, at) = heard.expect("the runners live");
        assert_eq!(id, run, "what else was queued is for no runner here");
        times.push((at - began).as_secs_f64() * 1000.0);
        sleep(PAUSE).await;
    }
    let what = format!("queued to taken by one of {CROWD} runners, {WAITING} runs waiting, p95");
    report.budget(what, Target::AtMost(150.0), percentile(&times, 0.95), Unit::Millis);
    report.detail("median", median(&times), Unit::Millis);
}

/// Starts a run of a new item; answers its id.
async fn start(stage: &Stage, title: &str, harness: Harness) -> Result<String, Error> {
    let item = stage.new_item(title).await;
    let start = StartRun { harness: Some(harness), ..StartRun::default() };
    Ok(stage.client().org(stage.org()).start_run(&item.key, &start).await?.id)
}

/// Connects so many runners, which ask for runs until they are dropped and end what they get at once.
async fn begin(stage: &Stage, count: usize, heard: &mpsc::UnboundedSender<Taken>) -> JoinSet<()> {
    let made = (0..count).map(|number| {
        let new = NewRunner { name: format!("runner-{number}") };
        async move { stage.client().org(stage.org()).create_runner(&new).await }
    });
    let made: Vec<_> = stream::iter(made).buffer_unordered(TOGETHER).collect().await;
    let mut runners = JoinSet::new();
    for (number, made) in made.into_iter().enumerate() {
        let client = stage.server.client_of(&made.expect("a runner can be created").secret);
        runners.spawn(live(client, number, heard.clone()));
    }
    runners
}

async fn live(client: Client, number: usize, heard: mpsc::UnboundedSender<Taken>) {
    let hello = Hello {
        machine_id: Uuid::from_u128(number as u128).to_string(),
        label: None,
        client_version: env!("CARGO_PKG_VERSION").to_owned(),
        platform: "linux-x86_64".to_owned(),
        harnesses: vec![HAD],
        parallel: 1,
        service: false,
        leaving: false,
        disk_full: false,
        only_asks: false,
    };
    let wait_seconds = client.runner().hello(&hello).await.expect("the runner is known").take_wait_seconds;
    for request in 0_u64.. {
        let request_id = format!("runner-{number}-request-{request}");
        let take = Take { harnesses: vec![HAD], wait_seconds, request_id };
        let Some(assignment) = client.runner().take(&take).await.expect("the runner may ask") else {
            continue;
        };
        // Who listens ends with the measure.
        let _ = heard.send((assignment.run_id.clone(), Instant::now()));
        end(&client, &assignment).await;
    }
}

async fn end(client: &Client, assignment: &Assignment) {
    let finish = Finish {
        fence: assignment.fence,
        result: FinishResult::Failed,
        failure_reason: Some("harness-crashed".to_owned()),
        failure_detail: None,
        outcome: None,
        exit_code: None,
        pull_request: None,
        pushed_branch: None,
        local_head: None,
        remote_head: None,
        cost: None,
        tokens: None,
        harness_session: None,
    };
    client.runner().finish(&assignment.run_id, &finish).await.expect("the run can be ended");
}

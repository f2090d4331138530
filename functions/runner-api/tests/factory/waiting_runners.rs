//! Many runners that wait at the same time: what they cost, and which of them gets a run.

use axum::Router;
use futures::future::join_all;
use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_testkit::{Metered, Reply, TestApp, call};
use tokio::time::Instant;

use crate::stage::{Machine, Stage};

/// How long a runner waits that is to get a run; it ends when it does.
const LONG: u32 = 20;

async fn machines(stage: &Stage, count: usize) -> Vec<Machine> {
    let mut machines = Vec::new();
    for number in 0..count {
        machines.push(stage.runner(&format!("box {number}")).await);
    }
    machines
}

async fn wait_on(router: &Router, machine: &Machine, request: &str, seconds: u32) -> Reply {
    let body = json!({"harnesses": ["harness_1"], "waitSeconds": seconds, "requestId": request});
    call(router, Method::POST, "/runner/take", Some(&machine.secret), Some(body)).await
}

async fn wait(stage: &Stage, machine: &Machine, request: &str, seconds: u32) -> Reply {
    wait_on(&stage.router, machine, request, seconds).await
}

/// Until all of these have asked for work.
async fn until_all_online(stage: &Stage, machines: &[Machine]) {
    for machine in machines {
        stage.until_online(machine).await;
    }
}

async fn disable_agents(stage: &Stage, disabled: bool) {
    let agents = stage.get("/orgs/demo/agents", &stage.owner).await.json;
    let (id, version) = (agents[0]["id"].as_str().unwrap(), &agents[0]["version"]);
    let change = json!({"disabled": disabled, "version": version});
    let path = format!("/orgs/demo/agents/{id}");
    stage.call(Method::PATCH, &path, &stage.owner, Some(change)).await.is(200);
}

/// Round trips of runners that wait in vain for a few seconds, beyond those of runners that ask without waiting; and how
/// many seconds that took.
async fn cost_of_waiting(stage: &Stage, meter: &Metered, machines: &[Machine]) -> (usize, usize) {
    const SECONDS: u32 = 3;
    let spent = async |request: &str, seconds: u32| {
        let before = meter.spent().round_trips;
        let waits = machines.iter().map(|machine| wait(stage, machine, request, seconds));
        for reply in join_all(waits).await {
            assert_eq!(reply.status, StatusCode::NO_CONTENT, "{}", reply.text);
        }
        meter.spent().round_trips - before
    };
    spent("first", 0).await;
    let at_once = spent("at once", 0).await;
    let began = Instant::now();
    let waited = spent("waits", SECONDS).await;
    let seconds = usize::try_from(began.elapsed().as_secs()).unwrap() + 2;
    (waited.saturating_sub(at_once), seconds)
}

#[tokio::test]
async fn many_runners_that_wait_look_at_the_queue_once_a_second_together() {
    let (kit, meter) = TestApp::new().metered();
    let stage = Stage::on(kit).await;
    let machines = machines(&stage, 20).await;
    let (more, seconds) = cost_of_waiting(&stage, &meter, &machines).await;
    assert!(more <= seconds, "{more} reads in {seconds} s while nothing is queued");

    // For a runner that is never there.
    stage.runner("away").await;
    for title in ["One", "Two", "Three"] {
        stage.start(&stage.item(title).await, json!({"runner": "away"})).await;
    }
    let (more, seconds) = cost_of_waiting(&stage, &meter, &machines).await;
    assert!(more <= 2 * seconds, "{more} reads in {seconds} s while others' runs are queued");

    // Each is asked about, for all at once.
    for title in ["Four", "Five", "Six"] {
        stage.start(&stage.item(title).await, json!({})).await;
    }
    disable_agents(&stage, true).await;
    let (more, seconds) = cost_of_waiting(&stage, &meter, &machines).await;
    assert!(more <= 6 * seconds + 30, "{more} reads in {seconds} s while runs are queued that cannot begin");
}

#[tokio::test]
async fn of_many_runners_that_wait_the_one_that_may_gets_the_run_at_once() {
    let stage = Stage::new().await;
    let machines = machines(&stage, 6).await;
    let key = stage.item("Picky").await;
    let waits = machines
        .iter()
        .enumerate()
        .map(|(number, machine)| wait(&stage, machine, "one", if number == 4 { LONG } else { 3 }));
    let start = async {
        until_all_online(&stage, &machines).await;
        stage.start(&key, json!({"runner": "box 4"})).await
    };
    let (replies, run) = tokio::join!(join_all(waits), start);
    for (number, reply) in replies.iter().enumerate() {
        let expected = if number == 4 { json!(run) } else { Value::Null };
        assert_eq!(reply.json["runId"], expected, "{number}: {}", reply.text);
    }
    stage.consistent().await;
}

#[tokio::test]
async fn runs_are_spread_over_those_that_wait_also_when_another_server_queues_them() {
    let stage = Stage::new().await;
    let (_kit, beside) = stage.beside();
    for (round, router) in [&stage.router, &beside].into_iter().enumerate() {
        let mut keys = Vec::new();
        for number in 0..4 {
            keys.push(stage.item(&format!("{round} {number}")).await);
        }
        let mut machines = Vec::new();
        for number in 0..4 {
            machines.push(stage.runner(&format!("box {round} {number}")).await);
        }
        let waits = machines.iter().map(|machine| wait_on(router, machine, "one", LONG));
        let start = async {
            until_all_online(&stage, &machines).await;
            let mut runs = Vec::new();
            for key in &keys {
                runs.push(stage.start(key, json!({})).await);
            }
            runs
        };
        let (replies, mut runs) = tokio::join!(join_all(waits), start);
        let mut taken: Vec<String> =
            replies.iter().map(|reply| reply.json["runId"].as_str().unwrap_or_default().to_owned()).collect();
        taken.sort();
        runs.sort();
        assert_eq!(taken, runs);
        stage.consistent().await;
    }
}

#[tokio::test]
async fn a_scheduled_run_is_taken_by_a_runner_that_waits_for_its_time() {
    let stage = Stage::new().await;
    let machines = machines(&stage, 3).await;
    let due = stage.kit.now() + SignedDuration::from_mins(10);
    let run = stage.start(&stage.item("Later").await, json!({"scheduledFor": due})).await;
    let waits = machines.iter().enumerate().map(|(number, machine)| {
        let seconds = if number == 0 { LONG } else { 2 };
        wait(&stage, machine, "one", seconds)
    });
    let time_comes = async {
        until_all_online(&stage, &machines).await;
        assert_eq!(stage.view_run(&run).await["status"], "queued");
        stage.kit.advance(SignedDuration::from_mins(11));
    };
    let (replies, ()) = tokio::join!(join_all(waits), time_comes);
    let taken = replies.iter().filter(|reply| reply.json["runId"] == json!(run)).count();
    assert_eq!(taken, 1, "one of them takes it");
}

/// Runs that cannot begin stand before one that can.
#[tokio::test]
async fn a_run_that_can_begin_is_taken_although_older_ones_cannot() {
    let stage = Stage::new().await;
    let machines = machines(&stage, 3).await;
    for number in 0..5 {
        stage.start(&stage.item(&format!("Stuck {number}")).await, json!({})).await;
    }
    let key = stage.item("Good").await;
    stage.post_as(&stage.owner, "/orgs/demo/agents", json!({"name": "Other"})).await;
    let agents = stage.get("/orgs/demo/agents", &stage.owner).await.json;
    assert_eq!(agents[0]["name"], "Builder", "the one that is disabled");
    disable_agents(&stage, true).await;
    let waits = machines.iter().enumerate().map(|(number, machine)| {
        let seconds = if number == 0 { LONG } else { 3 };
        wait(&stage, machine, "one", seconds)
    });
    let start = async {
        until_all_online(&stage, &machines).await;
        stage.start(&key, json!({"agent": "Other"})).await
    };
    let (replies, run) = tokio::join!(join_all(waits), start);
    let taken: Vec<&Value> =
        replies.iter().map(|reply| &reply.json["runId"]).filter(|id| !id.is_null()).collect();
    assert_eq!(taken, [&json!(run)]);
    // What kept the others from beginning is over.
    disable_agents(&stage, false).await;
    for (number, machine) in machines.iter().enumerate() {
        wait(&stage, machine, &format!("again {number}"), LONG).await.is(200);
    }
    stage.consistent().await;
}

/// Their client goes away while they wait, or while they are offered a run.
#[tokio::test]
async fn runners_that_leave_keep_no_run_from_those_that_stay() {
    let stage = Stage::new().await;
    let machines = machines(&stage, 3).await;
    let (first, second, third) = (&machines[0], &machines[1], &machines[2]);
    let key = stage.item("Left").await;
    let stays = wait(&stage, third, "stays", LONG);
    let others = async {
        let leave = async {
            let waits =
                futures::future::join(wait(&stage, first, "a", LONG), wait(&stage, second, "b", LONG));
            let online = until_all_online(&stage, &machines);
            futures::future::select(Box::pin(waits), Box::pin(online)).await;
        };
        leave.await;
        stage.start(&key, json!({})).await
    };
    let (taken, run) = tokio::join!(stays, others);
    assert_eq!(taken.json["runId"], json!(run), "{}", taken.text);
}

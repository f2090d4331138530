//! Where nothing is held open (`Service:Streams = short`): what waits elsewhere is answered at once, with a place to go
//! on from and the time to ask again; and what that costs on DynamoDB.

use std::fmt::Write as _;

use axum::body::Body;
use http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};
use svc_app::Settings;
use svc_app::settings::Streams;
use svc_testkit::{Cost, Metered, Reply, TestApp, send};
use tokio::time::{Duration, Instant};

use crate::stage::{Machine, Stage};

/// Less than what anything is held for.
const AT_ONCE: Duration = Duration::from_secs(10);

fn short() -> Settings {
    let mut settings = Settings::default();
    settings.service.streams = Streams::Short;
    settings
}

async fn hello(stage: &Stage, machine: &Machine) -> Value {
    let hello =
        json!({"machineId": "m", "clientVersion": "1", "platform": "linux", "harnesses": [], "parallel": 1});
    stage.post("/runner/hello", &machine.secret, hello).await.json
}

fn hello_batch() -> Value {
    let entry = json!({"at": "2026-01-05T09:00:00Z", "stream": "stdout", "text": "hello"});
    json!({"fence": 1, "firstSeq": 1, "entries": [entry]})
}

async fn take(stage: &Stage, machine: &Machine, request: &str) -> Reply {
    let take = json!({"harnesses": ["harness_1"], "waitSeconds": 20, "requestId": request});
    stage.post("/runner/take", &machine.secret, take).await
}

/// A stream to its end, from after an event.
async fn stream(stage: &Stage, path: &str, after: Option<&str>) -> String {
    let request = Request::builder()
        .method(Method::GET)
        .uri(format!("/api/v1{path}"))
        .header(header::ACCEPT, "text/event-stream")
        .header(header::AUTHORIZATION, format!("Bearer {}", stage.operator))
        .header("last-event-id", after.unwrap_or_default());
    let reply = send(&stage.router, request.body(Body::empty()).unwrap()).await.is(200);
    reply.text
}

/// The value of a line of an event.
fn line<'a>(event: &'a str, name: &str) -> &'a str {
    let line = event.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.unwrap_or_else(|| panic!("no {name} in {event}"))
}

#[tokio::test]
async fn a_runner_is_answered_at_once_and_told_when_to_ask_again() {
    let stage = Stage::with(short()).await;
    let machine = stage.runner("box").await;
    let greeting = hello(&stage, &machine).await;
    assert_eq!((&greeting["takeWaitSeconds"], &greeting["takeEverySeconds"]), (&json!(0), &json!(25)));

    let begun = Instant::now();
    assert_eq!(take(&stage, &machine, "one").await.status, StatusCode::NO_CONTENT);
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let alive = stage.say(&machine, &run, "heartbeat", json!({"fence": 1, "waitSeconds": 20})).await;
    assert_eq!((alive.status, &alive.json["cancel"]), (StatusCode::OK, &json!(false)), "{}", alive.text);
    assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
}

#[tokio::test]
async fn streams_end_with_their_first_event_and_go_on_from_its_id() {
    let stage = Stage::with(short()).await;
    let machine = stage.runner("box").await;
    for path in ["/orgs/demo/stream", "/orgs/demo/projects/PRJ/changes/stream"] {
        let first = stream(&stage, path, None).await;
        assert_eq!((line(&first, "event"), line(&first, "retry")), ("changes", "5000"));
        let key = stage.item("Meanwhile").await;
        let next = stream(&stage, path, Some(line(&first, "id"))).await;
        assert!(next.contains(&key) && first != next, "{next}");
        assert_eq!(next.matches("event:").count(), 1, "{next}");
    }

    let (run, _) = stage.assigned(&machine, "Fix").await;
    let log = format!("/orgs/demo/runs/{run}/log/stream");
    let first = stream(&stage, &log, None).await;
    stage.say(&machine, &run, "log", hello_batch()).await.is(200);
    let next = stream(&stage, &log, Some(line(&first, "id"))).await;
    assert!(next.contains("hello") && line(&next, "retry") == "5000", "{next}");
    let last = stream(&stage, &log, Some(line(&next, "id"))).await;
    assert!(!last.contains("hello"), "{last}");
}

/// The numbers that infra/COST.md reckons with.
#[tokio::test]
async fn what_runners_and_viewers_cost_where_nothing_is_held() {
    let (kit, meter) = TestApp::with(short()).metered();
    let stage = Stage::on(kit).await;
    let machine = stage.runner("box").await;
    let mut table = String::new();
    let mut at = meter.spent();
    let mut tell = |work: &str, meter: &Metered| {
        let now = meter.spent();
        let cost: Cost = now - at;
        at = now;
        writeln!(table, "{work}: {cost}").unwrap();
    };

    hello(&stage, &machine).await;
    take(&stage, &machine, "0").await;
    tell("(what a process learns of a runner at first)", &meter);
    hello(&stage, &machine).await;
    tell("hello", &meter);
    take(&stage, &machine, "1").await;
    tell("take, nothing queued", &meter);
    let key = stage.item("Fix").await;
    tell("(an item is made)", &meter);
    let run = stage.start(&key, json!({})).await;
    tell("start a run", &meter);
    assert_eq!(stage.take(&machine, &run).await.status, StatusCode::OK);
    tell("take a run", &meter);
    stage.say(&machine, &run, "start", json!({"fence": 1})).await;
    tell("report its start", &meter);
    stage.say(&machine, &run, "heartbeat", json!({"fence": 1, "waitSeconds": 20})).await;
    tell("heartbeat", &meter);
    assert_eq!(stage.say(&machine, &run, "log", hello_batch()).await.status, StatusCode::OK);
    tell("log batch", &meter);
    let first = stream(&stage, "/orgs/demo/stream", None).await;
    tell("(a viewer comes)", &meter);
    stream(&stage, "/orgs/demo/stream", Some(line(&first, "id"))).await;
    tell("a viewer asks for news, and there is none", &meter);
    let done = json!({"fence": 1, "result": "succeeded", "outcome": "Done.", "exitCode": 0, "pushedBranch": "prj-1-fix"});
    assert_eq!(stage.say(&machine, &run, "finish", done).await.status, StatusCode::NO_CONTENT);
    tell("finish a run", &meter);
    stage.work().await;
    tell("what workers do after it", &meter);
    svc_workers::run_minute(&stage.kit.app, stage.kit.now(), Duration::from_mins(5)).await;
    tell("(the first minute tick, with texts to index)", &meter);
    svc_workers::run_minute(&stage.kit.app, stage.kit.now(), Duration::from_mins(5)).await;
    tell("minute tick, nothing to do", &meter);
    insta::assert_snapshot!(table);
}

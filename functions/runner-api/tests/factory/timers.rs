//! What happens by itself: lost runners, automatic continues, old logs.

use http::StatusCode;
use jiff::SignedDuration;
use serde_json::json;
use svc_app::administration::{self, AdminCaller};
use svc_app::hearing::Hearing;
use svc_app::messages::{ContinueRun, Message, WatchRun};
use svc_app::ports::Clock as _;
use svc_app::{Settings, factory, outbox};
use svc_domain::identity::Plan;

use crate::stage::Stage;

#[tokio::test]
async fn a_run_whose_runner_is_silent_is_lost_and_its_number_is_over() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, assignment) = stage.assigned(&machine, "Fix").await;
    stage.say(&machine, &run, "start", json!({"fence": 1})).await;
    stage.kit.advance(SignedDuration::from_secs(299));
    svc_workers::run_jobs(&stage.kit.app).await.unwrap();
    assert_eq!(stage.view_run(&run).await["status"], "running");
    stage.kit.advance(SignedDuration::from_secs(1));
    for _ in 0..2 {
        svc_workers::run_jobs(&stage.kit.app).await.unwrap();
    }
    let seen = stage.view_run(&run).await;
    assert_eq!((&seen["status"], &seen["failureReason"]), (&json!("failed"), &json!("runner-lost")));
    let item = stage.view_item("PRJ-1").await;
    assert!(item["claim"].is_null() && item["liveRun"].is_null());
    assert_eq!(item["state"], "Backlog");
    let token = assignment["token"].as_str().unwrap();
    assert_eq!(stage.get("/orgs/demo/items/PRJ-1", token).await.status, StatusCode::UNAUTHORIZED);
    for (what, body) in [
        ("heartbeat", json!({"fence": 1})),
        ("finish", json!({"fence": 1, "result": "succeeded"})),
        (
            "log",
            json!({"fence": 1, "firstSeq": 1, "entries": [
            {"at": "2026-01-05T09:00:00Z", "stream": "stdout", "text": "late"}]}),
        ),
    ] {
        let reply = stage.say(&machine, &run, what, body).await;
        assert_eq!((reply.status, reply.problem()), (StatusCode::CONFLICT, "assignment-ended"), "{what}");
    }
    assert_eq!(stage.view_run(&run).await["status"], "failed");
}

#[tokio::test]
async fn a_run_that_shows_signs_of_life_is_not_lost() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let message = Message::from(WatchRun { org: stage.org.id, run: run.parse().unwrap() });
    for _ in 0..4 {
        stage.kit.advance(SignedDuration::from_secs(200));
        stage.say(&machine, &run, "heartbeat", json!({"fence": 1})).await;
        svc_workers::handle(&stage.kit.app, &message).await.unwrap();
        svc_workers::run_jobs(&stage.kit.app).await.unwrap();
    }
    assert_eq!(stage.view_run(&run).await["status"], "assigned");
}

async fn fails_transiently(stage: &Stage, machine: &crate::stage::Machine, run: &str) {
    let failure = json!({"fence": 1, "result": "failed", "failureReason": "harness-transient",
        "harnessSession": "s-1"});
    assert_eq!(stage.say(machine, run, "start", json!({"fence": 1})).await.status, StatusCode::OK);
    assert_eq!(stage.say(machine, run, "finish", failure).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn a_transient_failure_is_continued_twice_on_the_same_runner() {
    let (stage, machine) = Stage::with_runner().await;
    let (first, _) = stage.assigned(&machine, "Fix").await;
    let mut run = first.clone();
    for attempt in 0..2 {
        fails_transiently(&stage, &machine, &run).await;
        let message = Message::from(ContinueRun { org: stage.org.id, run: run.parse().unwrap() });
        stage.kit.advance(SignedDuration::from_mins(1 + 4 * attempt));
        stage.take(&machine, "idle").await;
        // A message that comes twice continues once.
        for _ in 0..2 {
            svc_workers::handle(&stage.kit.app, &message).await.unwrap();
        }
        let next = stage.take(&machine, &format!("continue {attempt}")).await.json;
        assert_eq!((&next["kind"], &next["resumeSession"]), (&json!("continue"), &json!("s-1")), "{next}");
        assert_eq!(next["earlierRunId"], json!(run));
        assert!(next["prompt"].as_str().unwrap().starts_with("Your session was cut off"));
        run = next["runId"].as_str().unwrap().to_owned();
    }
    let before = stage.view_run(&first).await["branch"].clone();
    assert_eq!(stage.view_run(&run).await["branch"], before);
    fails_transiently(&stage, &machine, &run).await;
    stage.kit.advance(SignedDuration::from_mins(10));
    let unsent = outbox::sweep(&stage.kit.app).await.unwrap();
    assert_eq!(unsent, 0, "a third time is never asked for");
}

/// As the test above, without a message of its own: what the end of the run left must do it.
#[tokio::test]
async fn a_continue_that_is_due_is_queued_by_itself() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    fails_transiently(&stage, &machine, &run).await;
    let count = async || {
        svc_workers::run_jobs(&stage.kit.app).await.unwrap();
        stage.work().await;
        let page = stage.get("/orgs/demo/items/PRJ-1/runs", &stage.operator).await.json;
        page["totalCount"].clone()
    };
    stage.kit.advance(SignedDuration::from_secs(50));
    assert_eq!(count().await, 1, "a minute is not over");
    stage.take(&machine, "idle").await;
    // Until the message has come, by the queue or by the tick.
    stage.kit.advance(SignedDuration::from_secs(25));
    assert_eq!(count().await, 2);
}

#[tokio::test]
async fn a_continue_whose_runner_is_gone_fails_at_once() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    fails_transiently(&stage, &machine, &run).await;
    stage.kit.advance(SignedDuration::from_mins(2));
    let message = Message::from(ContinueRun { org: stage.org.id, run: run.parse().unwrap() });
    svc_workers::handle(&stage.kit.app, &message).await.unwrap();
    let runs = stage.get("/orgs/demo/items/PRJ-1/runs", &stage.operator).await.json;
    assert_eq!(runs["totalCount"], 2);
    let newest = &runs["items"][0];
    assert_eq!((&newest["kind"], &newest["status"]), (&json!("continue"), &json!("failed")));
    assert_eq!(newest["failureReason"], "session-unavailable");
    assert!(stage.view_item("PRJ-1").await["liveRun"].is_null());
}

/// It failed after a minute for want of a session, with a second "Run failed.".
#[tokio::test]
async fn a_run_that_crashed_before_it_had_a_session_is_taken_again_by_its_runner() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    stage.say(&machine, &run, "start", json!({"fence": 1})).await;
    let end = json!({"fence": 1, "result": "failed", "failureReason": "harness-crashed"});
    stage.say(&machine, &run, "finish", end).await;
    stage.kit.advance(SignedDuration::from_secs(50));
    stage.take(&machine, "idle").await;
    stage.kit.advance(SignedDuration::from_secs(25));
    svc_workers::run_jobs(&stage.kit.app).await.unwrap();
    stage.work().await;
    let next = stage.take(&machine, "continue").await.json;
    assert_eq!((&next["kind"], &next["resumeSession"]), (&json!("continue"), &json!(null)), "{next}");
    assert_eq!(next["earlierRunId"], run.as_str());
}

/// A server that had been away counted its own silence as that of its runners: it failed runs and continues of runners
/// that were well.
#[tokio::test]
async fn a_server_that_was_away_gives_its_runners_the_time_to_be_heard_of() {
    let (stage, machine) = Stage::with_runner().await;
    let (working, _) = stage.assigned(&machine, "Fix").await;
    stage.say(&machine, &working, "start", json!({"fence": 1})).await;
    let (failed, _) = stage.assigned(&machine, "Mend").await;
    fails_transiently(&stage, &machine, &failed).await;
    stage.kit.advance(SignedDuration::from_mins(10));

    let server = stage.kit.restarted().app;
    svc_workers::run_jobs(&server).await.unwrap();
    assert_eq!(stage.view_run(&working).await["status"], "running");
    let message = Message::from(ContinueRun { org: stage.org.id, run: failed.parse().unwrap() });
    svc_workers::handle(&server, &message).await.unwrap();
    let runs = async || stage.get("/orgs/demo/items/PRJ-2/runs", &stage.operator).await.json;
    assert_eq!(runs().await["totalCount"], 1, "it waits for the runner");

    stage.take(&machine, "back").await;
    svc_workers::handle(&server, &message).await.unwrap();
    let next = stage.take(&machine, "continue").await.json;
    assert_eq!((&next["kind"], &next["resumeSession"]), (&json!("continue"), &json!("s-1")), "{next}");

    stage.kit.advance(SignedDuration::from_secs(300));
    svc_workers::run_jobs(&server).await.unwrap();
    assert_eq!(stage.view_run(&working).await["failureReason"], "runner-lost", "silent since the start");
}

/// A clock that was set forward failed every run, however well its runner was; one that was set back kept dead ones.
#[tokio::test]
async fn a_clock_that_is_set_or_a_server_that_stood_still_is_no_silence_of_runners() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    stage.say(&machine, &run, "start", json!({"fence": 1})).await;
    let server = stage.kit.restarted().app;
    let message = Message::from(WatchRun { org: stage.org.id, run: run.parse().unwrap() });
    let judged = async || {
        svc_workers::run_jobs(&server).await.unwrap();
        svc_workers::handle(&server, &message).await.unwrap();
        stage.view_run(&run).await["status"].clone()
    };
    let hour = SignedDuration::from_hours(1);
    stage.kit.clock.step(hour);
    assert_eq!(judged().await, "running", "the clock was set forward");
    stage.say(&machine, &run, "heartbeat", json!({"fence": 1})).await;
    stage.kit.clock.step(-hour);
    assert_eq!(judged().await, "running", "the clock was set back");

    let hearing = server.hearing.as_ref().unwrap();
    hearing.tick(&*server.clock);
    stage.kit.advance(SignedDuration::from_mins(10));
    assert_eq!(judged().await, "running", "the process stood still, which ticks every ten seconds");
    for _ in 0..30 {
        stage.kit.advance(SignedDuration::from_secs(10));
        hearing.tick(&*server.clock);
    }
    assert_eq!(judged().await, "failed", "its last heartbeat is of a time that is still to come");
}

/// On AWS engines, runs failed as lost when their only server had been away.
#[tokio::test]
async fn where_others_serve_too_silence_does_not_count_while_a_server_was_away_and_their_words_count() {
    let kit = svc_testkit::TestApp::new();
    let clock = &*kit.clock;
    let (hour, half) = (SignedDuration::from_hours(1), SignedDuration::from_secs(30));
    let hearing = Hearing::begin(clock, false);
    let began = clock.now();
    assert_eq!(hearing.last_heard(began - hour, clock), began, "it began to serve after it");
    kit.clock.step(hour);
    assert_eq!(hearing.last_heard(began, clock), began + hour, "the clock was set");
    let by_another = clock.now() + half;
    assert_eq!(hearing.last_heard(by_another, clock), by_another, "its clock is ahead");
    let alone = Hearing::begin(clock, true);
    assert_eq!(alone.last_heard(by_another, clock), clock.now(), "its own word, from before it was set back");
}

#[tokio::test]
async fn a_continue_whose_runner_does_not_come_back_with_the_server_fails_after_a_minute() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    fails_transiently(&stage, &machine, &run).await;
    stage.kit.advance(SignedDuration::from_mins(10));
    let server = stage.kit.restarted().app;
    let message = Message::from(ContinueRun { org: stage.org.id, run: run.parse().unwrap() });
    svc_workers::handle(&server, &message).await.unwrap();
    stage.kit.advance(SignedDuration::from_mins(1));
    svc_workers::handle(&server, &message).await.unwrap();
    let runs = stage.get("/orgs/demo/items/PRJ-1/runs", &stage.operator).await.json;
    assert_eq!(runs["items"][0]["failureReason"], "session-unavailable");
}

#[tokio::test]
async fn a_message_that_a_crash_left_is_sent_by_the_tick() {
    let stage = Stage::new().await;
    let app = &stage.kit.app;
    let message = Message::from(WatchRun {
        org: stage.org.id,
        run: "00000000-0000-7000-8000-000000000001".parse().unwrap(),
    });
    let outgoing = outbox::Outgoing::new(app, message.clone(), SignedDuration::ZERO);
    svc_testkit::write(app, vec![outgoing.op()]).await.unwrap();
    stage.kit.advance(SignedDuration::from_mins(1));
    svc_workers::run_jobs(app).await.unwrap();
    let received = app.queue.receive(10, std::time::Duration::ZERO).await.unwrap();
    let bodies: Vec<Message> =
        received.iter().map(|message| serde_json::from_str(&message.body).unwrap()).collect();
    assert_eq!(bodies, [message]);
    assert_eq!(outbox::sweep(app).await.unwrap(), 0);
}

/// Specification section 8: an organization without a plan is as `Retention:RunLogDays` says.
#[tokio::test]
async fn logs_are_kept_as_long_as_the_plan_of_their_organization_says() {
    let mut settings = Settings::default();
    settings.billing.hosted.run_log_days = 36_500;
    let stage = Stage::with(settings).await;
    let machine = stage.runner("box").await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let batch = json!({"fence": 1, "firstSeq": 1, "entries": [
        {"at": "2026-01-05T09:00:00Z", "stream": "stdout", "text": "x"}]});
    stage.say(&machine, &run, "log", batch).await;
    let app = &stage.kit.app;
    stage.kit.advance(SignedDuration::from_hours(24 * 365 * 5));
    for plan in [Plan::Hosted, Plan::Evaluation] {
        administration::set_plan(app, AdminCaller::Console, &stage.org.slug, Some(plan)).await.unwrap();
        assert_eq!(factory::log::sweep(app).await.unwrap(), 0, "{plan}");
    }
    administration::set_plan(app, AdminCaller::Console, &stage.org.slug, Some(Plan::Free)).await.unwrap();
    assert_eq!(factory::log::sweep(app).await.unwrap(), 1);
    administration::set_plan(app, AdminCaller::Console, &stage.org.slug, Some(Plan::Hosted)).await.unwrap();
    let page = stage.get(&format!("/runs/{run}/log"), &stage.operator).await;
    assert_eq!(page.json["entries"], json!([]), "what is deleted does not come back with a plan");
    stage.consistent().await;
}

#[tokio::test]
async fn old_logs_are_deleted_and_the_run_stays() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let batch = json!({"fence": 1, "firstSeq": 1, "entries": [
        {"at": "2026-01-05T09:00:00Z", "stream": "stdout", "text": "x"}]});
    assert_eq!(stage.say(&machine, &run, "log", batch).await.status, StatusCode::OK);
    assert_eq!(factory::log::sweep(&stage.kit.app).await.unwrap(), 0);
    // Blobs are as old as the engine says, which counts by the real clock.
    stage.kit.advance(SignedDuration::from_hours(24 * 365 * 5));
    assert_eq!(factory::log::sweep(&stage.kit.app).await.unwrap(), 1);
    let page = stage.get(&format!("/runs/{run}/log"), &stage.operator).await;
    assert_eq!((page.status, &page.json["entries"]), (StatusCode::OK, &json!([])));
    assert_eq!(stage.view_run(&run).await["status"], "assigned");
}

//! Runs, schedules and numbers of projects that were deleted.

use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::json;
use svc_app::messages::{PurgeProject, StopRuns};

use crate::stage::{AREAS, Stage};

const PROJECT: &str = "/orgs/demo/projects/PRJ";

async fn delete(stage: &Stage) {
    stage.call(Method::DELETE, &format!("{PROJECT}?confirm=PRJ"), &stage.owner, None).await.is(204);
}

async fn restore(stage: &Stage) {
    stage.post_as(&stage.owner, &format!("{PROJECT}/restore"), json!({})).await;
}

#[tokio::test]
async fn the_runs_of_a_deleted_project_are_cancelled_and_no_other_begins() {
    let (stage, machine) = Stage::with_runner().await;
    let (at_work, _) = stage.assigned(&machine, "At work").await;
    stage.say(&machine, &at_work, "start", json!({"fence": 1})).await;
    let waiting = stage.item("Waiting").await;
    let waits = stage.start(&waiting, json!({})).await;
    delete(&stage).await;
    assert_eq!(stage.take(&machine, "second").await.status, StatusCode::NO_CONTENT, "before the worker came");
    stage.work_twice().await;
    for path in [format!("/runs/{at_work}"), format!("/orgs/demo/items/{waiting}/runs")] {
        let gone = stage.get(&path, &stage.operator).await;
        assert_eq!((gone.status, gone.problem()), (StatusCode::GONE, "deleted"), "{path}: {}", gone.text);
    }
    let runs = stage.get("/orgs/demo/runs", &stage.owner).await.json;
    assert_eq!(runs["items"], json!([]));
    let heard = stage.say(&machine, &at_work, "heartbeat", json!({"fence": 1})).await;
    assert_eq!(heard.json["cancel"], true, "{}", heard.text);
    stage.consistent().await;
    restore(&stage).await;
    assert_eq!(stage.view_run(&waits).await["status"], "cancelled");
    stage.start(&waiting, json!({})).await;
    stage.consistent().await;
}

#[tokio::test]
async fn a_late_message_stops_nothing_of_a_restored_project() {
    let stage = Stage::new().await;
    let at = stage.kit.app.now();
    delete(&stage).await;
    restore(&stage).await;
    let waiting = stage.item("Waiting").await;
    let waits = stage.start(&waiting, json!({})).await;
    let late = StopRuns { org: stage.org.id, project: "PRJ".parse().unwrap(), at };
    svc_app::factory::stopping::stop_runs(&stage.kit.app, &late).await.unwrap();
    assert_eq!(stage.view_run(&waits).await["status"], "queued");
}

#[tokio::test]
async fn a_deleted_project_is_taken_away_with_its_runs_and_pages_and_its_numbers_stay() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Done").await;
    stage.say(&machine, &run, "start", json!({"fence": 1})).await;
    stage.post_as(&stage.operator, &format!("/runs/{run}/cancel"), json!({})).await;
    let finish = json!({"fence": 1, "outcome": "cancelled"});
    stage.say(&machine, &run, "finish", finish).await;
    stage.item("Left").await;
    let ended = async || {
        let stats = stage.get("/orgs/demo/factory/stats?by=project", &stage.owner).await;
        stats.json["groups"][0].clone()
    };
    let before = ended().await;
    let at = stage.kit.app.now();
    delete(&stage).await;
    stage.work().await;
    assert_eq!(ended().await, before, "the numbers of the organization stay");
    stage.kit.advance(SignedDuration::from_hours(30 * 24 + 2));
    stage.consistent().await;
    let message = PurgeProject { org: stage.org.id, project: "PRJ".parse().unwrap(), at };
    for _ in 0..2 {
        svc_app::tracker::project_purge::purge(&stage.kit.app, &message).await.unwrap();
        stage.consistent().await;
    }
    stage.work().await;
    stage.consistent().await;
}

#[tokio::test]
async fn a_run_that_is_taken_while_its_project_is_deleted_does_not_begin() {
    let (stage, machine) = Stage::with_runner().await;
    let waiting = stage.item("Waiting").await;
    let run = stage.start(&waiting, json!({})).await;
    let (beside, gate) = stage.kit.beside().gated();
    let there = beside.router(&AREAS);
    let body = json!({"harnesses": ["harness_1"], "waitSeconds": 0, "requestId": "one"});
    let taking = svc_testkit::call(&there, Method::POST, "/runner/take", Some(&machine.secret), Some(body));
    let place = svc_storage::keys::run(stage.org.id, run.parse().unwrap());
    let (taken, ()) = gate.meanwhile(place, taking, delete(&stage)).await;
    assert_eq!(taken.status, StatusCode::NO_CONTENT, "{}", taken.text);
    stage.work().await;
    restore(&stage).await;
    assert_eq!(stage.view_run(&run).await["status"], "cancelled");
    stage.consistent().await;
}

//! Continuing and retrying a failed run by hand, and what that means for the automatic continue.

use http::StatusCode;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::stage::{Machine, Stage};

/// A run that failed after its harness had started.
async fn failed(stage: &Stage, machine: &Machine, reason: &str) -> String {
    let (run, _) = stage.assigned(machine, "Fix").await;
    stage.say(machine, &run, "start", json!({"fence": 1, "harnessSession": "s-1"})).await;
    let body = json!({"fence": 1, "result": "failed", "failureReason": reason});
    stage.say(machine, &run, "finish", body).await.is(204);
    run
}

async fn ask(stage: &Stage, run: &str, what: &str) -> svc_testkit::Reply {
    stage.post(&format!("/runs/{run}/{what}"), &stage.operator, json!({})).await
}

async fn runs(stage: &Stage) -> Vec<Value> {
    let page = stage.get("/orgs/demo/items/PRJ-1/runs", &stage.operator).await.json;
    page["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_continue_resumes_the_session_on_the_same_runner() {
    let (stage, machine) = Stage::with_runner().await;
    let run = failed(&stage, &machine, "harness-failed").await;
    let reply = ask(&stage, &run, "continue").await.is(201);
    let next = reply.json;
    assert_eq!((&next["kind"], &next["status"]), (&json!("continue"), &json!("queued")));
    assert_eq!((&next["earlierRun"], &next["requestedBy"]["name"]), (&json!(run), &json!("ben")));
    let taken = stage.take(&machine, "next").await.json;
    assert_eq!((&taken["resumeSession"], &taken["earlierRunId"]), (&json!("s-1"), &json!(run)));
    assert_eq!(ask(&stage, &run, "continue").await.status, StatusCode::CONFLICT, "only the latest");
    stage.consistent().await;
}

#[tokio::test]
async fn a_continue_whose_session_cannot_be_resumed_fails_with_its_reason() {
    let (stage, machine) = Stage::with_runner().await;
    let run = failed(&stage, &machine, "harness-failed").await;
    stage.kit.advance(SignedDuration::from_mins(10));
    let next = ask(&stage, &run, "continue").await.json;
    assert_eq!(
        (&next["status"], &next["failureReason"]),
        (&json!("failed"), &json!("session-unavailable")),
        "the runner is offline: {next}"
    );
    assert!(stage.view_item("PRJ-1").await["liveRun"].is_null());
}

/// Whoever asked while the runner was away for a moment could never resume the session again.
#[tokio::test]
async fn a_continue_that_never_started_can_be_asked_for_again() {
    let (stage, machine) = Stage::with_runner().await;
    let run = failed(&stage, &machine, "harness-failed").await;
    stage.kit.advance(SignedDuration::from_mins(10));
    let in_vain = ask(&stage, &run, "continue").await.json;
    stage.take(&machine, "back").await;
    let again = ask(&stage, in_vain["id"].as_str().unwrap(), "continue").await.is(201);
    assert_eq!(again.json["earlierRun"], json!(run), "whose workspace and session it resumes");
    let taken = stage.take(&machine, "next").await.json;
    assert_eq!((&taken["resumeSession"], &taken["earlierRunId"]), (&json!("s-1"), &json!(run)));
    stage.consistent().await;
}

#[tokio::test]
async fn only_runs_that_failed_or_ran_out_of_time_go_on() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    for what in ["continue", "retry"] {
        assert_eq!(ask(&stage, &run, what).await.status, StatusCode::CONFLICT, "it is at work");
    }
    let body = json!({"fence": 1, "result": "failed", "failureReason": "workspace-failed"});
    stage.say(&machine, &run, "finish", body).await;
    let refused = ask(&stage, &run, "continue").await;
    assert!(refused.text.contains("retry it instead"), "its harness never started: {}", refused.text);
    for token in [&stage.member, &stage.foreigner] {
        let reply = stage.post(&format!("/runs/{run}/retry"), token, json!({})).await;
        assert!(reply.status.is_client_error(), "{}", reply.text);
    }
    assert_eq!(ask(&stage, &run, "retry").await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_run_that_ran_out_of_time_is_continued() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    stage.say(&machine, &run, "start", json!({"fence": 1, "harnessSession": "s-1"})).await;
    let body = json!({"fence": 1, "result": "timedOut", "harnessSession": "s-1"});
    stage.say(&machine, &run, "finish", body).await.is(204);
    let over = stage.view_run(&run).await;
    assert_eq!((&over["status"], over.get("continuesAt")), (&json!("timedOut"), None), "not by itself");
    assert_eq!(stage.view_item("PRJ-1").await["state"], "Backlog", "the failure path");
    assert_eq!(ask(&stage, &run, "retry").await.status, StatusCode::CONFLICT);
    let next = ask(&stage, &run, "continue").await;
    assert_eq!((next.status, &next.json["kind"]), (StatusCode::CREATED, &json!("continue")), "{}", next.text);
    let taken = stage.take(&machine, "next").await.json;
    assert_eq!(taken["timeLimitSeconds"], 3600, "each continue gets the full time limit");
}

#[tokio::test]
async fn a_retry_starts_over_with_the_same_playbook_and_agent() {
    let (stage, machine) = Stage::with_runner().await;
    let run = failed(&stage, &machine, "harness-failed").await;
    let before = stage.view_run(&run).await;
    let next = ask(&stage, &run, "retry").await.json;
    assert_eq!((&next["kind"], &next["earlierRun"]), (&json!("retry"), &json!(run)));
    assert_eq!((&next["playbook"], &next["agent"]), (&before["playbook"], &before["agent"]));
    let taken = stage.take(&machine, "next").await.json;
    assert_eq!(taken["resumeSession"], Value::Null);
    assert_ne!(taken["branch"], before["branch"], "a fresh checkout has a branch of its own");
    stage.consistent().await;
}

#[tokio::test]
async fn what_goes_on_from_a_run_keeps_the_harness_that_was_chosen_for_it() {
    let (stage, machine) = Stage::with_runner().await;
    let key = stage.item("Fix").await;
    let run = stage.start(&key, json!({"harness": "harness_2"})).await;
    let body = json!({"harnesses": ["harness_2"], "waitSeconds": 0, "requestId": "1"});
    assert_eq!(stage.post("/runner/take", &machine.secret, body).await.json["runId"], json!(run));
    stage.say(&machine, &run, "start", json!({"fence": 1, "harnessSession": "s-1"})).await;
    let end = json!({"fence": 1, "result": "failed", "failureReason": "harness-failed"});
    stage.say(&machine, &run, "finish", end).await;
    let retried = ask(&stage, &run, "retry").await.json;
    assert_eq!(retried["harness"], "harness_2", "{retried}");
    stage
        .post_as(&stage.owner, &format!("/runs/{}/cancel", retried["id"].as_str().unwrap()), json!({}))
        .await;
    let comment = json!({"body": "@Builder once more."});
    stage.post_as(&stage.operator, &format!("/orgs/demo/items/{key}/comments"), comment).await;
    stage.work().await;
    let live = stage.view_item(&key).await["liveRun"].clone();
    let followed = stage.view_run(live.as_str().unwrap_or_else(|| panic!("{live}"))).await;
    assert_eq!((&followed["kind"], &followed["harness"]), (&json!("followUp"), &json!("harness_2")));
    stage.consistent().await;
}

#[tokio::test]
async fn a_retry_of_what_a_mention_asked_replies_in_its_thread() {
    let stage = Stage::new().await;
    let (key, machine) = (stage.item("Fix").await, stage.runner("box").await);
    let path = format!("/orgs/demo/items/{key}/comments");
    let asked = stage.post_as(&stage.operator, &path, json!({"body": "@Builder go"})).await;
    stage.work().await;
    let first = stage.take(&machine, "one").await.json;
    let body = json!({"fence": 1, "result": "failed", "failureReason": "workspace-failed"});
    stage.say(&machine, first["runId"].as_str().unwrap(), "finish", body.clone()).await;
    let next = ask(&stage, first["runId"].as_str().unwrap(), "retry").await.json;
    assert_eq!((&next["kind"], &next["comment"]), (&json!("retry"), &asked["id"]));
    let second = stage.take(&machine, "two").await.json;
    stage.say(&machine, second["runId"].as_str().unwrap(), "finish", body).await;
    let comments = stage.get(&path, &stage.owner).await.json;
    let replies = comments["items"].as_array().unwrap().iter().filter(|one| one["replyTo"] == asked["id"]);
    assert_eq!(replies.count(), 2);
    stage.consistent().await;
}

#[tokio::test]
async fn a_person_who_goes_on_first_wins_over_the_automatic_continue() {
    for what in ["continue", "retry", "cancel"] {
        let (stage, machine) = Stage::with_runner().await;
        let run = failed(&stage, &machine, "harness-transient").await;
        let by_hand = if what == "cancel" { "continue" } else { what };
        let next = ask(&stage, &run, by_hand).await.json["id"].as_str().unwrap().to_owned();
        if what == "cancel" {
            assert_eq!(ask(&stage, &next, "cancel").await.status, StatusCode::OK);
        }
        stage.kit.advance(SignedDuration::from_mins(2));
        stage.work_twice().await;
        assert_eq!(runs(&stage).await.len(), 2, "after {what}");
        stage.consistent().await;
    }
}

#[tokio::test]
async fn a_continue_that_is_due_is_announced_until_somebody_was_faster() {
    let (stage, machine) = Stage::with_runner().await;
    let run = failed(&stage, &machine, "harness-transient").await;
    let seen = stage.view_run(&run).await;
    let due: jiff::Timestamp = seen["continuesAt"].as_str().unwrap().parse().unwrap();
    assert_eq!(due, stage.kit.now() + SignedDuration::from_mins(1));
    assert_eq!(runs(&stage).await[0]["continuesAt"], seen["continuesAt"], "lists say it too");
    ask(&stage, &run, "retry").await;
    assert!(stage.view_run(&run).await.get("continuesAt").is_none(), "somebody was faster");
    assert!(runs(&stage).await.iter().all(|run| run.get("continuesAt").is_none()));
}

#[tokio::test]
async fn the_outcome_comment_tells_operators_why_the_run_failed() {
    let (stage, machine) = Stage::with_runner().await;
    failed(&stage, &machine, "harness-not-authenticated").await;
    let read = async |token: &str| {
        let page = stage.get("/orgs/demo/items/PRJ-1/comments", token).await.json;
        page["items"][0].clone()
    };
    let told = read(&stage.operator).await;
    assert_eq!(told["failureReason"], "harness-not-authenticated", "{told}");
    assert!(told["failureDetail"].is_string() && told["outcomeOf"].is_string(), "{told}");
    let others = read(&stage.member).await;
    assert!(others.get("failureReason").is_none(), "{others}");
}

//! What a person set up begins nothing while an admin of the instance has disabled their account.

use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_app::administration::{AdminCaller, disable_account, enable_account};
use svc_domain::ids::UserId;

use crate::stage::Stage;

/// Disables the account of the operator; who they are.
async fn disable(stage: &Stage) -> UserId {
    let me = stage.get("/me", &stage.operator).await.json;
    let ben = me["id"].as_str().unwrap().parse().unwrap();
    disable_account(&stage.kit.app, AdminCaller::Console, ben).await.unwrap();
    ben
}

async fn change(stage: &Stage, method: Method, path: &str, body: Value) -> Value {
    let reply = stage.call(method, path, &stage.owner, Some(body)).await;
    assert!(reply.status.is_success(), "{path}: {}", reply.text);
    reply.json
}

/// Makes the operator an Admin of the project, who sets up rules and schedules.
async fn operator_sets_up(stage: &Stage) {
    let me = stage.get("/me", &stage.operator).await.json;
    let path = format!("/orgs/demo/projects/PRJ/members/{}", me["id"].as_str().unwrap());
    change(stage, Method::PUT, &path, json!({"role": "admin"})).await;
}

#[tokio::test]
async fn a_queued_run_waits_until_the_account_is_enabled() {
    let stage = Stage::new().await;
    let machine = stage.runner("box").await;
    let (running, assignment) = stage.assigned(&machine, "Under way").await;
    let key = stage.item("Waits").await;
    let run = stage.start(&key, json!({})).await;
    let ben = disable(&stage).await;
    assert_eq!(stage.take(&machine, "1").await.status, StatusCode::NO_CONTENT);
    let seen = stage.get(&format!("/runs/{run}"), &stage.owner).await.json;
    let why = seen["waitingReason"].as_str().unwrap_or_default();
    assert!(why.starts_with("ben started this run but may no longer start AI work here."), "{seen}");

    let body = json!({"fence": assignment["fence"], "harnessSession": "s-1"});
    let goes_on = stage.say(&machine, &running, "start", body).await;
    assert!(goes_on.status.is_success(), "what is under way goes on: {}", goes_on.text);
    enable_account(&stage.kit.app, AdminCaller::Console, ben).await.unwrap();
    assert_eq!(stage.take(&machine, "2").await.json["runId"], json!(run));
}

#[tokio::test]
async fn rules_and_schedules_start_nothing_and_say_why() {
    let stage = Stage::new().await;
    operator_sets_up(&stage).await;
    let rules = "/orgs/demo/projects/PRJ/rules";
    let rule = json!({"name": "Go", "state": "in progress", "playbook": "implement"});
    stage.post_as(&stage.operator, rules, rule).await;
    let schedules = "/orgs/demo/projects/PRJ/schedules";
    let hourly = json!({
        "name": "Hourly", "cron": "0 * * * *", "timeZone": "UTC", "playbook": "implement",
        "type": "task", "title": "Tidy up",
    });
    let made = stage.post_as(&stage.operator, schedules, hourly).await;
    disable(&stage).await;

    let new = json!({"type": "bug", "title": "Broken"});
    let key = stage.post_as(&stage.owner, "/orgs/demo/projects/PRJ/items", new).await["key"].clone();
    let path = format!("/orgs/demo/items/{}/transition", key.as_str().unwrap());
    stage.post_as(&stage.owner, &path, json!({"version": 1, "state": "In progress"})).await;
    stage.work().await;
    let fired = stage.get("/orgs/demo/projects/PRJ/rule-firings", &stage.owner).await.json;
    let why = "The person who saved the rule can no longer see the project.";
    assert_eq!(fired["items"][0]["skippedReason"], why, "{fired}");

    stage.kit.advance(SignedDuration::from_hours(2));
    svc_workers::run_jobs(&stage.kit.app).await.unwrap();
    let path = format!("{schedules}/{}", made["id"].as_str().unwrap());
    let paused = stage.get(&path, &stage.owner).await.json;
    let why = "The person who saved the schedule can no longer see the project.";
    assert_eq!((&paused["paused"], &paused["pausedReason"]), (&json!(true), &json!(why)), "{paused}");
    let runs = stage.get("/orgs/demo/runs", &stage.owner).await.json;
    assert_eq!(runs["items"], json!([]), "{runs}");
    stage.consistent().await;
}

#[tokio::test]
async fn an_agent_does_not_listen_to_what_was_said_before() {
    let stage = Stage::new().await;
    let key = stage.item("Asked").await;
    let path = format!("/orgs/demo/items/{key}/comments");
    let asked = stage.post_as(&stage.operator, &path, json!({"body": "@Builder go"})).await;
    disable(&stage).await;
    stage.work().await;
    let mentions = stage.get(&format!("/orgs/demo/items/{key}/mentions"), &stage.owner).await.json;
    assert_eq!(mentions[0]["status"], "dropped", "{mentions}");
    let said = stage.get(&path, &stage.owner).await.json;
    let reply = said["items"].as_array().unwrap().iter().find(|one| one["replyTo"] == asked["id"]).unwrap();
    let why = "I cannot start this. The person who mentioned me can no longer see the project.";
    assert_eq!(reply["body"], why);
}

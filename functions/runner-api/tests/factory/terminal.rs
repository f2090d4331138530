//! The end of a run: one commit, once, whatever the runner says afterwards.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::stage::{Machine, Stage};

fn success() -> Value {
    json!({
        "fence": 1, "result": "succeeded", "outcome": "Done as asked.", "exitCode": 0,
        "pullRequest": "https://host.example/o/r/pull/7", "pushedBranch": "prj-1-fix", "cost": 0.25,
        "tokens": {"input": 10, "output": 20}, "harnessSession": "s-1",
    })
}

async fn started(stage: &Stage, machine: &Machine) -> String {
    let (run, _) = stage.assigned(machine, "Fix").await;
    let reply = stage.say(machine, &run, "start", json!({"fence": 1, "harnessSession": "s-1"})).await;
    assert_eq!((reply.status, &reply.json["cancel"]), (StatusCode::OK, &json!(false)), "{}", reply.text);
    assert_eq!(stage.view_run(&run).await["status"], "running");
    run
}

async fn comments(stage: &Stage) -> Vec<Value> {
    let reply = stage.get("/orgs/demo/items/PRJ-1/comments", &stage.owner).await;
    reply.json["items"].as_array().unwrap_or_else(|| panic!("{}", reply.text)).clone()
}

#[tokio::test]
async fn a_success_links_comments_releases_and_moves() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, assignment) = stage.assigned(&machine, "Fix").await;
    stage.say(&machine, &run, "start", json!({"fence": 1})).await;
    for _ in 0..2 {
        stage.say(&machine, &run, "finish", success()).await.is(204);
    }
    let seen = stage.view_run(&run).await;
    assert_eq!((&seen["status"], &seen["cost"]), (&json!("succeeded"), &json!(0.25)));
    assert_eq!((&seen["harnessSession"], &seen["tokens"]["output"]), (&json!("s-1"), &json!(20)));
    let item = stage.view_item("PRJ-1").await;
    assert_eq!(item["state"], "In review");
    assert!(item["claim"].is_null() && item["liveRun"].is_null());
    assert_eq!(item["links"], json!([{"url": "https://host.example/o/r/pull/7"}]));
    let comments = comments(&stage).await;
    assert_eq!(comments.len(), 1);
    assert_eq!(comments[0]["author"]["name"], "Builder");
    let body = comments[0]["body"].as_str().unwrap();
    assert_eq!(body, "Run succeeded.\n\nDone as asked.\n\nPull request: https://host.example/o/r/pull/7");
    let token = assignment["token"].as_str().unwrap();
    assert_eq!(stage.get("/orgs/demo/items/PRJ-1", token).await.status, StatusCode::UNAUTHORIZED);
    let history = stage.history("PRJ-1").await;
    assert_eq!(
        history,
        [
            "claimed",
            "created",
            "linked https://host.example/o/r/pull/7",
            "released",
            "runFinished succeeded",
            "runQueued",
            "transitioned In review",
        ]
    );
}

/// The sprint of the item remembers what the run did, as what people do.
#[tokio::test]
async fn an_item_that_a_run_resolves_is_done_in_the_burndown_of_its_sprint() {
    let stage = Stage::new().await;
    let (project, machine) = ("/orgs/demo/projects/PRJ", stage.runner("box").await);
    let playbook = json!({
        "name": "Resolve", "instructions": "Do it.", "harness": "harness_1", "successState": "Resolved",
    });
    stage.post_as(&stage.owner, &format!("{project}/playbooks"), playbook).await;
    stage.post_as(&stage.owner, &format!("{project}/teams"), json!({"key": "red", "name": "Red"})).await;
    let plan = json!({"team": "red", "name": "First"});
    let sprint = stage.post_as(&stage.owner, &format!("{project}/sprints"), plan).await;
    let sprint = sprint["id"].as_str().unwrap();
    let item = json!({"type": "task", "title": "Fix", "state": "In review", "estimate": 3});
    stage.post_as(&stage.owner, &format!("{project}/items"), item).await;
    let planned = json!({"version": 1, "sprint": sprint});
    stage.post_as(&stage.owner, "/orgs/demo/items/PRJ-1/move", planned).await;
    let path = format!("/orgs/demo/sprints/{sprint}");
    stage.post_as(&stage.owner, &format!("{path}/start"), json!({"version": 1})).await;
    let run = stage.start("PRJ-1", json!({"playbook": "Resolve"})).await;
    assert_eq!(stage.take(&machine, &run).await.status, StatusCode::OK);
    assert_eq!(stage.say(&machine, &run, "finish", success()).await.status, StatusCode::NO_CONTENT);
    assert_eq!(stage.view_item("PRJ-1").await["state"], "Resolved");
    let burndown = stage.get(&format!("{path}/burndown"), &stage.owner).await.json;
    let work = &burndown["points"].as_array().unwrap().last().unwrap()["work"];
    assert_eq!((&work["unfinished"], &work["remaining"]), (&json!(0), &json!(0.0)), "{burndown}");
}

#[tokio::test]
async fn a_transition_that_is_not_permitted_is_recorded_and_the_run_ends() {
    let (stage, machine) = Stage::with_runner().await;
    let run = started(&stage, &machine).await;
    let item = stage.view_item("PRJ-1").await;
    let to = json!({"version": item["version"], "state": "Backlog"});
    stage.post_as(&stage.owner, "/orgs/demo/items/PRJ-1/transition", to).await;
    stage.say(&machine, &run, "finish", success()).await;
    assert_eq!(stage.view_run(&run).await["status"], "succeeded");
    assert_eq!(stage.view_item("PRJ-1").await["state"], "Backlog");
    assert!(stage.history("PRJ-1").await.contains(&"transitionSkipped In review".to_owned()));
}

#[tokio::test]
async fn a_failure_moves_to_the_failure_state_and_says_why_to_operators_only() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    let incomplete = stage.say(&machine, &run, "finish", json!({"fence": 1, "result": "failed"})).await;
    assert_eq!(incomplete.status, StatusCode::UNPROCESSABLE_ENTITY);
    let failure = json!({"fence": 1, "result": "failed", "failureReason": "no-local-repository",
        "failureDetail": "No clone of PRJ.", "pullRequest": "javascript:alert(1)"});
    stage.say(&machine, &run, "finish", failure).await;
    let seen = stage.view_run(&run).await;
    assert_eq!((&seen["status"], &seen["failureReason"]), (&json!("failed"), &json!("no-local-repository")));
    assert_eq!((&seen["failureDetail"], &seen["pullRequest"]), (&json!("No clone of PRJ."), &json!(null)));
    let item = stage.view_item("PRJ-1").await;
    assert_eq!((&item["state"], &item["links"]), (&json!("Backlog"), &json!([])));
    assert_eq!(comments(&stage).await[0]["body"], "Run failed.");
    let seen = stage.get(&format!("/runs/{run}"), &stage.member).await.json;
    assert_eq!((&seen["status"], seen.get("failureReason")), (&json!("failed"), None));
}

#[tokio::test]
async fn a_cancelled_run_stays_cancelled_whatever_its_harness_reports() {
    let (stage, machine) = Stage::with_runner().await;
    let run = started(&stage, &machine).await;
    let path = format!("/orgs/demo/runs/{run}/cancel");
    let reply = stage.call(Method::POST, &path, &stage.operator, None).await;
    assert_eq!(reply.json["status"], "cancelled");
    assert!(stage.view_item("PRJ-1").await["claim"].is_null());
    let reply = stage.say(&machine, &run, "heartbeat", json!({"fence": 1})).await;
    assert_eq!((reply.status, &reply.json["cancel"]), (StatusCode::OK, &json!(true)));
    let reply = stage.say(&machine, &run, "finish", success()).await;
    assert_eq!(reply.status, StatusCode::NO_CONTENT);
    let seen = stage.view_run(&run).await;
    assert_eq!((&seen["status"], &seen["cost"]), (&json!("cancelled"), &json!(0.25)));
    assert_eq!(comments(&stage).await.len(), 1);
    assert_eq!(stage.view_item("PRJ-1").await["state"], "In progress");
    let reply = stage.say(&machine, &run, "heartbeat", json!({"fence": 1})).await;
    assert_eq!(reply.problem(), "assignment-ended");
    let reply = stage.call(Method::POST, &path, &stage.operator, None).await;
    assert_eq!((reply.status, reply.problem()), (StatusCode::CONFLICT, "run-ended"));
}

/// Finishing and cancelling at the same moment: one of them ends the run, and the item is told once.
#[tokio::test]
async fn finish_and_cancel_at_once_end_the_run_once() {
    for _ in 0..5 {
        let (stage, machine) = Stage::with_runner().await;
        let run = started(&stage, &machine).await;
        let path = format!("/runs/{run}/cancel");
        let (finish, cancel) = tokio::join!(
            stage.say(&machine, &run, "finish", success()),
            stage.call(Method::POST, &path, &stage.operator, None)
        );
        assert_eq!(finish.status, StatusCode::NO_CONTENT, "{}", finish.text);
        let status = stage.view_run(&run).await["status"].clone();
        match cancel.status {
            StatusCode::OK => assert_eq!(status, "cancelled"),
            other => assert_eq!((other, status), (StatusCode::CONFLICT, json!("succeeded"))),
        }
        assert_eq!(comments(&stage).await.len(), 1);
        assert!(stage.view_item("PRJ-1").await["liveRun"].is_null());
    }
}

#[tokio::test]
async fn heartbeats_keep_the_claim_fresh_and_no_edit_stale() {
    let (stage, machine) = Stage::with_runner().await;
    let run = started(&stage, &machine).await;
    let version = stage.view_item("PRJ-1").await["version"].clone();
    for _ in 0..20 {
        stage.kit.advance(jiff::SignedDuration::from_secs(30));
        let reply = stage.say(&machine, &run, "heartbeat", json!({"fence": 1})).await;
        assert_eq!(reply.status, StatusCode::OK);
        assert_eq!(stage.view_item("PRJ-1").await["claim"]["stale"], false);
    }
    assert_eq!(stage.view_item("PRJ-1").await["version"], version);
}

#[tokio::test]
async fn a_run_that_ends_counts_in_the_numbers_of_the_factory() {
    let (stage, machine) = Stage::with_runner().await;
    let run = started(&stage, &machine).await;
    stage.kit.advance(jiff::SignedDuration::from_mins(3));
    for _ in 0..2 {
        stage.say(&machine, &run, "finish", success()).await;
    }
    let cancelled = stage.item("Other").await;
    let other = stage.start(&cancelled, json!({})).await;
    stage.post_as(&stage.operator, &format!("/runs/{other}/cancel"), json!({})).await;
    stage.kit.advance(jiff::SignedDuration::from_mins(1));
    let seen = stage.get("/orgs/demo/factory-stats?by=agent", &stage.operator).await.json;
    let total = &seen["total"];
    assert_eq!(
        (&total["runs"], &total["succeeded"], &total["cancelled"]),
        (&json!(2), &json!(1), &json!(1)),
        "{seen}"
    );
    assert_eq!((&total["successPercent"], &total["cost"]), (&json!(100.0), &json!(0.25)), "{seen}");
    assert_eq!((&total["runMedianSeconds"], &total["outputTokens"]), (&json!(180), &json!(20)), "{seen}");
    let group = &seen["groups"][0];
    assert_eq!((&group["name"], &group["numbers"]["runs"]), (&json!("Builder"), &json!(2)));
    assert_eq!((&total["rework"], group.get("weeks")), (&json!(0), None), "{seen}");
    let weekly = stage.get("/orgs/demo/factory-stats?by=model&weekly=true", &stage.operator).await.json;
    let week = &weekly["groups"][0]["weeks"][0];
    assert_eq!((&week["numbers"]["runs"], &weekly["by"]), (&json!(2), &json!("model")), "{weekly}");
    let again = async || stage.get("/orgs/demo/factory-stats?by=agent", &stage.operator).await;
    let first = again().await;
    stage.kit.advance(jiff::SignedDuration::from_mins(1));
    let second = again().await;
    assert_ne!(first.json["until"], second.json["until"]);
    assert_eq!(first.header("etag"), second.header("etag"), "the same numbers are the same answer");
    let nothing = stage.get("/orgs/demo/factory-stats?project=OTHER", &stage.operator).await.json;
    assert_eq!(nothing["total"]["runs"], 0);
    for (token, query, status) in [
        (&stage.member, "", StatusCode::FORBIDDEN),
        (&stage.operator, "?from=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z", StatusCode::BAD_REQUEST),
        (&stage.operator, "?by=moon", StatusCode::BAD_REQUEST),
    ] {
        let reply = stage.get(&format!("/orgs/demo/factory-stats{query}"), token).await;
        assert_eq!(reply.status, status, "{query}: {}", reply.text);
    }
    stage.consistent().await;
}

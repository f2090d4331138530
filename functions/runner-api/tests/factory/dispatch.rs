//! Starting runs: preconditions, names, schedules, races.

use futures::future::join_all;
use http::StatusCode;
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_testkit::call;

use crate::stage::Stage;

#[tokio::test]
async fn a_started_run_is_queued_with_everything_captured() {
    let stage = Stage::new().await;
    let key = stage.item("Fix the login page").await;
    let path = format!("/orgs/demo/items/{key}/runs");
    let reply = stage
        .post(&path, &stage.operator, json!({"playbook": "IMPLEMENT", "agent": "builder"}))
        .await
        .is(201);
    let run = &reply.json;
    assert_eq!(run["status"], "queued");
    assert_eq!(run["branch"], "prj-1-fix-the-login-page");
    assert_eq!((&run["agent"]["name"], &run["playbook"]["name"]), (&json!("Builder"), &json!("Implement")));
    assert_eq!(run["deliveryMode"], "branchAndPullRequest");
    assert_eq!(run["requestedBy"]["name"], "ben");
    assert!(run["waitingReason"].as_str().unwrap().starts_with("There is no runner"));
    let prompt = run["promptSnapshot"].as_str().unwrap();
    assert!(prompt.contains("Write the code.") && prompt.contains("Item title: Fix the login page"));
    let item = stage.view_item(&key).await;
    assert_eq!(item["liveRun"], run["id"]);
    assert!(item["claim"].is_null(), "a run that was not scheduled claims the item when it is taken");
    assert_eq!(stage.history(&key).await, ["created", "runQueued"]);
}

#[tokio::test]
async fn of_twenty_who_start_at_once_one_succeeds() {
    let stage = Stage::new().await;
    let (_other, beside) = stage.beside();
    let key = stage.item("Contested").await;
    let path = format!("/orgs/demo/items/{key}/runs");
    let routers = [&stage.router, &beside];
    let attempts = (0..20)
        .map(|n| call(routers[n % 2], http::Method::POST, &path, Some(&stage.operator), Some(json!({}))));
    let replies = join_all(attempts).await;
    let created = replies.iter().filter(|reply| reply.status == StatusCode::CREATED).count();
    assert_eq!(created, 1);
    for reply in replies.iter().filter(|reply| reply.status != StatusCode::CREATED) {
        assert_eq!(
            (reply.status, reply.problem()),
            (StatusCode::CONFLICT, "live-run-exists"),
            "{}",
            reply.text
        );
        assert!(reply.json["runId"].is_string());
    }
    let runs = stage.get(&path, &stage.operator).await.json;
    assert_eq!(runs["totalCount"], 1);
}

#[tokio::test]
async fn who_may_not_is_refused_and_who_must_not_know_finds_nothing() {
    let stage = Stage::new().await;
    let key = stage.item("Private").await;
    let path = format!("/orgs/demo/items/{key}/runs");
    let reply = stage.post(&path, &stage.member, json!({})).await;
    assert_eq!((reply.status, reply.problem()), (StatusCode::FORBIDDEN, "factory-not-permitted"));
    let reply = stage.post(&path, &stage.foreigner, json!({})).await;
    assert_eq!((reply.status, reply.problem()), (StatusCode::NOT_FOUND, "not-found"));
    let reply = call(&stage.router, http::Method::POST, &path, None, Some(json!({}))).await;
    assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
    let reply = stage.post("/orgs/demo/items/PRJ-99/runs", &stage.operator, json!({})).await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_claimed_item_is_not_handed_over_until_the_claim_is_stale() {
    let stage = Stage::new().await;
    let key = stage.item("Mine").await;
    let version = stage.view_item(&key).await["version"].clone();
    stage.post_as(&stage.member, &format!("/orgs/demo/items/{key}/claim"), json!({"version": version})).await;
    let path = format!("/orgs/demo/items/{key}/runs");
    let reply = stage.post(&path, &stage.operator, json!({})).await;
    assert_eq!((reply.status, reply.problem()), (StatusCode::CONFLICT, "item-claimed"));
    assert_eq!(reply.json["holder"], "cleo");
    stage.kit.advance(SignedDuration::from_mins(6));
    assert_eq!(stage.post(&path, &stage.operator, json!({})).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn names_that_mean_nothing_are_answered_with_those_that_do() {
    let stage = Stage::new().await;
    let key = stage.item("Names").await;
    let path = format!("/orgs/demo/items/{key}/runs");
    for (field, known) in [("playbook", "Implement"), ("agent", "Builder")] {
        let reply = stage.post(&path, &stage.operator, json!({field: "nobody"})).await;
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(reply.json["errors"][field][0].as_str().unwrap().contains(known), "{}", reply.text);
    }
    stage.post_as(&stage.owner, "/orgs/demo/agents", json!({"name": "Second"})).await;
    let reply = stage.post(&path, &stage.operator, json!({})).await;
    assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY, "two agents and no default: {}", reply.text);
}

#[tokio::test]
async fn who_names_nothing_gets_the_projects_defaults() {
    let stage = Stage::new().await;
    let owner = stage.owner.as_str();
    let second = stage.post_as(owner, "/orgs/demo/agents", json!({"name": "Second"})).await;
    let new = json!({"name": "Review", "instructions": "Read.", "harness": "harness_1"});
    let review = stage.post_as(owner, "/orgs/demo/projects/PRJ/playbooks", new).await;
    let settings = "/orgs/demo/projects/PRJ/factory-settings";
    let started = async |title: &str| {
        let run = stage.start(&stage.item(title).await, json!({})).await;
        let run = stage.view_run(&run).await;
        (run["playbook"]["name"].clone(), run["agent"]["name"].clone())
    };
    let change = async |body| {
        stage.call(http::Method::PATCH, settings, owner, Some(body)).await.is(200);
    };
    change(json!({"version": 1, "defaultAgent": second["id"], "defaultPlaybook": review["id"]})).await;
    assert_eq!(started("One").await, (json!("Review"), json!("Second")));
    change(json!({"version": 2, "defaultPlaybook": null})).await;
    let path = format!("/orgs/demo/items/{}/runs", stage.item("Two").await);
    let refused = stage.post(&path, &stage.operator, json!({})).await;
    let why = "The project has no default playbook. Name one.";
    assert_eq!(refused.json["errors"], json!({"playbook": [why]}), "{}", refused.text);
}

#[tokio::test]
async fn a_scheduled_run_claims_the_item_and_waits_for_its_time() {
    let (stage, machine) = Stage::with_runner().await;
    let key = stage.item("Later").await;
    let path = format!("/orgs/demo/items/{key}/runs");
    let past = stage.post(&path, &stage.operator, json!({"scheduledFor": "2026-01-05T08:59:59Z"})).await;
    assert_eq!(past.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(past.json["errors"]["scheduledFor"].is_array());
    let run = stage.start(&key, json!({"scheduledFor": "2026-01-05T12:00:00+02:00"})).await;
    let seen = stage.view_run(&run).await;
    assert_eq!(seen["scheduledFor"], "2026-01-05T10:00:00Z");
    assert_eq!(seen["waitingReason"], "It starts at 2026-01-05T10:00:00Z.");
    assert_eq!(stage.view_item(&key).await["claim"]["holderName"], "Builder");
    assert_eq!(stage.take(&machine, "early").await.status, StatusCode::NO_CONTENT);
    stage.kit.advance(SignedDuration::from_hours(1));
    assert_eq!(stage.take(&machine, "due").await.json["runId"], json!(run));
}

#[tokio::test]
async fn a_waiting_run_is_cancelled_at_once_and_frees_the_item() {
    let stage = Stage::new().await;
    let key = stage.item("Never mind").await;
    let run = stage.start(&key, json!({"scheduledFor": "2026-01-06T00:00:00Z"})).await;
    let path = format!("/runs/{run}/cancel");
    let reply = stage.call(http::Method::POST, &path, &stage.member, None).await;
    assert_eq!(reply.problem(), "factory-not-permitted");
    let reply = stage.call(http::Method::POST, &path, &stage.operator, None).await;
    assert_eq!((reply.status, &reply.json["status"]), (StatusCode::OK, &json!("cancelled")));
    let item = stage.view_item(&key).await;
    assert!(item["claim"].is_null() && item["liveRun"].is_null());
    assert_eq!(item["state"], "In progress", "a cancelled run does not move the item");
    let reply = stage.call(http::Method::POST, &path, &stage.operator, None).await;
    assert_eq!((reply.status, reply.problem()), (StatusCode::CONFLICT, "run-ended"));
    let comments = stage.get(&format!("/orgs/demo/items/{key}/comments"), &stage.owner).await.json;
    assert_eq!(comments["items"][0]["body"], "Run cancelled by ben.");
    let again = stage.start(&key, json!({})).await;
    assert_ne!(stage.view_run(&again).await["branch"], stage.view_run(&run).await["branch"]);
}

#[tokio::test]
async fn a_preview_says_where_a_run_would_start_or_what_it_would_wait_for() {
    let stage = Stage::new().await;
    let key = stage.item("Fix").await;
    let path = format!("/orgs/demo/items/{key}/runs/preview");
    let ask = async |body: Value| stage.post(&path, &stage.operator, body).await;
    let seen = ask(json!({})).await.json;
    assert_eq!(
        (&seen["startsNow"], &seen["playbook"]["name"]),
        (&json!(false), &json!("Implement")),
        "{seen}"
    );
    assert!(seen["waitingReason"].as_str().unwrap().starts_with("There is no runner yet."), "{seen}");
    let machine = stage.runner("box").await;
    let hello = json!({
        "machineId": "m-1", "clientVersion": "1.0.0", "platform": "linux-x64", "harnesses": ["harness_1"], "parallel": 1,
    });
    stage.post("/runner/hello", &machine.secret, hello).await.is(200);
    stage.take(&machine, "nothing").await;
    let seen = ask(json!({})).await.json;
    assert_eq!((&seen["startsNow"], &seen["runner"]["name"]), (&json!(true), &json!("box")), "{seen}");
    let later = ask(json!({"scheduledFor": "2040-01-01T00:00:00Z"})).await.json;
    assert_eq!(later["startsNow"], false, "{later}");
    stage.assigned(&machine, "Other").await;
    assert_eq!(ask(json!({})).await.json["startsNow"], false, "the runner is full");
    assert_eq!(ask(json!({"agent": "Nobody"})).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(stage.view_item(&key).await["liveRun"].is_null(), "nothing was started");
    stage.start(&key, json!({})).await;
    assert_eq!(ask(json!({})).await.status, StatusCode::CONFLICT);
}

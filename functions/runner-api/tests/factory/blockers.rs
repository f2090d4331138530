//! Runs of items that other items block: they wait, say for what, and begin when the last blocker is done.

use http::StatusCode;
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_domain::identity::ProjectRole;

use crate::stage::{Machine, Stage};

const BLOCKED: &str = "is blocked by";

async fn block(stage: &Stage, key: &str, by: &str) {
    let path = format!("/orgs/demo/items/{key}/links");
    stage.post_as(&stage.owner, &path, json!({"type": "blockedBy", "item": by})).await;
}

/// Puts an item through the workflow to its end; workers hear of it.
async fn resolve(stage: &Stage, key: &str) {
    for state in ["In review", "Resolved"] {
        let version = stage.view_item(key).await["version"].clone();
        let body = json!({"version": version, "state": state});
        stage.post_as(&stage.owner, &format!("/orgs/demo/items/{key}/transition"), body).await;
    }
    stage.work().await;
}

async fn is_taken(stage: &Stage, machine: &Machine, request: &str, run: &str) -> bool {
    let taken = stage.take(machine, request).await;
    if taken.status == StatusCode::NO_CONTENT {
        return false;
    }
    assert_eq!(taken.json["runId"], run, "{}", taken.text);
    true
}

/// The live run of an item, as the operator sees it.
async fn live(stage: &Stage, key: &str) -> Value {
    let item = stage.view_item(key).await;
    stage.view_run(item["liveRun"].as_str().unwrap_or_else(|| panic!("no run: {item}"))).await
}

fn reason(run: &Value) -> &str {
    run["waitingReason"].as_str().unwrap_or_else(|| panic!("it waits for nothing: {run}"))
}

#[tokio::test]
async fn a_mention_on_a_blocked_item_waits_until_the_last_blocker_is_done() {
    let (stage, machine) = Stage::with_runner().await;
    let (key, one, two) = (stage.item("It").await, stage.item("One").await, stage.item("Two").await);
    block(&stage, &key, &one).await;
    block(&stage, &key, &two).await;
    let asks = json!({"body": "@Builder do it."});
    stage.post_as(&stage.operator, &format!("/orgs/demo/items/{key}/comments"), asks).await;
    stage.work().await;
    let run = live(&stage, &key).await;
    assert!(reason(&run).contains(&format!("{BLOCKED} {one} and {two}")), "{run}");
    let id = run["id"].as_str().unwrap().to_owned();
    assert!(!is_taken(&stage, &machine, "a", &id).await);
    resolve(&stage, &one).await;
    assert!(!is_taken(&stage, &machine, "b", &id).await);
    assert!(reason(&stage.view_run(&id).await).contains(&format!("{BLOCKED} {two}.")));
    resolve(&stage, &two).await;
    assert!(!stage.view_run(&id).await["waitingReason"].as_str().unwrap_or_default().contains(BLOCKED));
    assert!(is_taken(&stage, &machine, "c", &id).await);
    stage.consistent().await;
}

#[tokio::test]
async fn a_rule_and_a_schedule_on_a_blocked_item_wait() {
    let (stage, machine) = Stage::with_runner().await;
    let blocker = stage.item("First").await;
    let rule = json!({"name": "Go", "state": "in review", "playbook": "implement"});
    stage.post_as(&stage.owner, "/orgs/demo/projects/PRJ/rules", rule).await;
    let (by_rule, planned) = (stage.item("By rule").await, stage.item("Planned").await);
    for key in [&by_rule, &planned] {
        block(&stage, key, &blocker).await;
    }
    let version = stage.view_item(&by_rule).await["version"].clone();
    let body = json!({"version": version, "state": "In review"});
    stage.post_as(&stage.owner, &format!("/orgs/demo/items/{by_rule}/transition"), body).await;
    stage.work().await;
    let at = (stage.kit.now() + SignedDuration::from_mins(5)).to_string();
    stage.start(&planned, json!({"scheduledFor": at})).await;
    stage.kit.advance(SignedDuration::from_mins(6));
    for key in [&by_rule, &planned] {
        let run = live(&stage, key).await;
        assert!(reason(&run).contains(&format!("{key} {BLOCKED} {blocker}.")), "{run}");
    }
    assert_eq!(stage.take(&machine, "a").await.status, StatusCode::NO_CONTENT);
    let path = format!("/orgs/demo/items/{by_rule}/links?type=blockedBy&item={blocker}");
    stage.call(http::Method::DELETE, &path, &stage.owner, None).await;
    let run = live(&stage, &by_rule).await["id"].as_str().unwrap().to_owned();
    assert!(is_taken(&stage, &machine, "b", &run).await, "the link is gone");
    stage.consistent().await;
}

#[tokio::test]
async fn a_run_that_a_person_starts_by_hand_begins_and_the_preview_tells() {
    let (stage, machine) = Stage::with_runner().await;
    stage.take(&machine, "here").await;
    let (key, blocker) = (stage.item("It").await, stage.item("First").await);
    block(&stage, &key, &blocker).await;
    let path = format!("/orgs/demo/items/{key}/runs/preview");
    let told = stage.post_as(&stage.operator, &path, json!({})).await;
    assert_eq!((&told["startsNow"], &told["blockedBy"]), (&json!(true), &json!([blocker])), "{told}");
    let later = (stage.kit.now() + SignedDuration::from_mins(5)).to_string();
    let told = stage.post_as(&stage.operator, &path, json!({"scheduledFor": later})).await;
    assert_eq!((&told["startsNow"], &told["blockedBy"]), (&json!(false), &json!([blocker])), "{told}");
    assert!(reason(&told).contains(BLOCKED), "{told}");
    let run = stage.start(&key, json!({})).await;
    assert!(is_taken(&stage, &machine, "a", &run).await);
    stage.consistent().await;
}

#[tokio::test]
async fn the_reason_names_no_item_that_the_reader_does_not_see() {
    let stage = Stage::new().await;
    let hidden = stage.kit.project(&stage.org, "SEC").await;
    let ada = stage.kit.user(&stage.org, "eva@example.com", svc_domain::identity::OrgRole::Owner, true).await;
    stage.kit.project_member(&stage.org, &hidden, ada, ProjectRole::Admin).await;
    let new = json!({"type": "task", "title": "Secret"});
    stage.post_as(&stage.owner, "/orgs/demo/projects/SEC/items", new).await;
    let key = stage.item("It").await;
    block(&stage, &key, "SEC-1").await;
    let asks = json!({"body": "@Builder do it."});
    stage.post_as(&stage.operator, &format!("/orgs/demo/items/{key}/comments"), asks).await;
    stage.work().await;
    let run = live(&stage, &key).await;
    assert!(reason(&run).contains("work that you cannot see"), "{run}");
    let as_owner = stage.get(&format!("/runs/{}", run["id"].as_str().unwrap()), &stage.owner).await.json;
    assert!(reason(&as_owner).contains("SEC-1"), "{as_owner}");
}

//! Rules: what fires them, what they start, why they do not, and that they never go round in circles.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::stage::Stage;

const RULES: &str = "/orgs/demo/projects/PRJ/rules";
const FIRINGS: &str = "/orgs/demo/projects/PRJ/rule-firings";

async fn rule(stage: &Stage, more: Value) -> Value {
    let mut body = json!({"name": "Go", "state": "in progress", "playbook": "implement"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    stage.post_as(&stage.owner, RULES, body).await
}

/// A new item in the first state; its key.
async fn ticket(stage: &Stage, labels: Value) -> String {
    let new = json!({"type": "bug", "title": "Broken", "labels": labels});
    let item = stage.post_as(&stage.owner, "/orgs/demo/projects/PRJ/items", new).await;
    item["key"].as_str().unwrap().to_owned()
}

async fn to(stage: &Stage, key: &str, state: &str) {
    let version = stage.view_item(key).await["version"].clone();
    let body = json!({"version": version, "state": state});
    stage.post_as(&stage.owner, &format!("/orgs/demo/items/{key}/transition"), body).await;
    stage.work().await;
}

async fn firings(stage: &Stage) -> Vec<Value> {
    let page = stage.get(FIRINGS, &stage.operator).await;
    page.json["items"].as_array().unwrap_or_else(|| panic!("{}", page.text)).clone()
}

fn skipped(firing: &Value) -> &str {
    firing["skippedReason"].as_str().unwrap_or_else(|| panic!("not skipped: {firing}"))
}

#[tokio::test]
async fn an_item_that_enters_the_state_with_the_label_is_handed_to_the_agent() {
    let stage = Stage::new().await;
    let rule = rule(&stage, json!({"label": "auto"})).await;
    assert_eq!((&rule["state"], &rule["savedBy"]["name"]), (&json!("In progress"), &json!("ada")), "{rule}");
    let (with, without) = (ticket(&stage, json!(["Auto"])).await, ticket(&stage, json!([])).await);
    to(&stage, &with, "In progress").await;
    to(&stage, &without, "In progress").await;
    let fired = firings(&stage).await;
    assert_eq!(fired.len(), 1, "{fired:?}");
    assert_eq!(
        (&fired[0]["item"], &fired[0]["state"], &fired[0]["rule"]),
        (&json!(with), &json!("In progress"), &rule["id"])
    );
    let run = stage.view_run(fired[0]["run"].as_str().unwrap()).await;
    assert_eq!(
        (&run["status"], &run["item"], &run["requestedBy"]["name"]),
        (&json!("queued"), &json!(with), &json!("ada"))
    );
    assert_eq!(run["scheduledFor"], Value::Null, "rules start at once");
    let machine = stage.runner("box").await;
    assert_eq!(stage.take(&machine, "one").await.json["runId"], run["id"]);
    stage.consistent().await;
}

#[tokio::test]
async fn a_new_item_enters_its_first_state() {
    let stage = Stage::new().await;
    rule(&stage, json!({"state": "Backlog"})).await;
    ticket(&stage, json!([])).await;
    stage.work().await;
    assert!(firings(&stage).await[0]["run"].is_string());
}

#[tokio::test]
async fn each_firing_that_starts_nothing_says_why() {
    let stage = Stage::new().await;
    rule(&stage, json!({})).await;
    rule(&stage, json!({"name": "Second"})).await;
    let key = ticket(&stage, json!([])).await;
    to(&stage, &key, "In progress").await;
    let fired = firings(&stage).await;
    let second = fired.iter().find(|firing| firing["ruleName"] == "Second").unwrap();
    assert_eq!(skipped(second), "The item has a live run.");

    let claimed = ticket(&stage, json!([])).await;
    let version = stage.view_item(&claimed).await["version"].clone();
    stage
        .post_as(&stage.operator, &format!("/orgs/demo/items/{claimed}/claim"), json!({"version": version}))
        .await;
    to(&stage, &claimed, "In progress").await;
    let fired = firings(&stage).await;
    let of_claimed: Vec<_> =
        fired.iter().filter(|firing| firing["item"] == claimed.as_str()).map(skipped).collect();
    assert_eq!(of_claimed, ["The item is claimed by ben."; 2]);
}

#[tokio::test]
async fn a_rule_acts_with_the_rights_that_its_author_has_then() {
    let stage = Stage::new().await;
    rule(&stage, json!({})).await;
    let (_, chief) = stage.project_admin().await;
    let rules = stage.get(RULES, &chief).await.json;
    let path = format!("{RULES}/{}", rules[0]["id"].as_str().unwrap());
    stage.call(Method::PATCH, &path, &chief, Some(json!({"version": 1, "name": "Mine"}))).await.is(200);
    let key = ticket(&stage, json!([])).await;
    to(&stage, &key, "In progress").await;
    assert_eq!(
        skipped(&firings(&stage).await[0]),
        "The person who saved the rule may no longer start AI work."
    );
}

/// A stakeholder's bulk request moved twelve items, and a rule queued twelve runs.
#[tokio::test]
async fn a_rule_skips_what_was_moved_by_a_person_who_may_not_start_ai_work_unless_it_is_for_everybody() {
    let stage = Stage::new().await;
    let rule = rule(&stage, json!({})).await;
    assert_eq!(rule["onlyAiStarters"], json!(true), "{rule}");
    let moved = async |token: &str| {
        let key = ticket(&stage, json!([])).await;
        let version = stage.view_item(&key).await["version"].clone();
        let body = json!({"version": version, "state": "In progress"});
        stage.post_as(token, &format!("/orgs/demo/items/{key}/transition"), body).await;
        stage.work().await;
        firings(&stage).await.remove(0)
    };
    let why = "The person who moved the item may not start AI work, and the rule is only for people who may.";
    assert_eq!(skipped(&moved(&stage.member).await), why);
    stage.kit.advance(jiff::SignedDuration::from_secs(1));
    assert!(moved(&stage.operator).await["run"].is_string());
    let path = format!("{RULES}/{}", rule["id"].as_str().unwrap());
    let open = json!({"version": 1, "onlyAiStarters": false});
    let open = stage.call(Method::PATCH, &path, &stage.owner, Some(open)).await;
    assert_eq!((open.status, &open.json["onlyAiStarters"]), (StatusCode::OK, &json!(false)), "{}", open.text);
    stage.kit.advance(jiff::SignedDuration::from_secs(1));
    assert!(moved(&stage.member).await["run"].is_string());
    stage.consistent().await;
}

#[tokio::test]
async fn what_an_agent_makes_fires_no_rule_and_stays_below_its_item() {
    let stage = Stage::new().await;
    rule(&stage, json!({"state": "Backlog"})).await;
    rule(&stage, json!({})).await;
    let machine = stage.runner("box").await;
    let (_, assignment) = stage.assigned(&machine, "Fix it").await;
    stage.work().await;
    let before = firings(&stage).await.len();
    let token = assignment["token"].as_str().unwrap();
    let part = |state: &str| json!({"title": "Part", "estimate": 1, "type": "subtask", "parent": "PRJ-1", "state": state});
    let elsewhere = stage.post("/orgs/demo/projects/PRJ/items", token, part("In progress")).await;
    assert_eq!(elsewhere.problem(), "validation-failed");
    assert_eq!(elsewhere.json["errors"]["state"][0], "Items created by agents start in \"Backlog\".");
    let made = stage.post_as(token, "/orgs/demo/projects/PRJ/items", part("Backlog")).await;
    stage.work().await;
    assert_eq!(firings(&stage).await.len(), before);
    for (key, change) in [
        ("PRJ-1", json!({"type": "bug"})),
        ("PRJ-1", json!({"parent": null})),
        (made["key"].as_str().unwrap(), json!({"type": "task", "parent": null})),
    ] {
        let mut change = change;
        change["version"] = stage.view_item(key).await["version"].clone();
        let path = format!("/orgs/demo/items/{key}");
        let refused = stage.call(Method::PATCH, &path, token, Some(change)).await;
        assert_eq!((refused.status, refused.problem()), (StatusCode::FORBIDDEN, "forbidden"), "{key}");
    }
}

#[tokio::test]
async fn a_disabled_or_deleted_rule_does_nothing() {
    let stage = Stage::new().await;
    let rule = rule(&stage, json!({})).await;
    let path = format!("{RULES}/{}", rule["id"].as_str().unwrap());
    let late =
        stage.call(Method::PATCH, &path, &stage.owner, Some(json!({"version": 9, "disabled": true}))).await;
    assert_eq!(late.problem(), "stale-version");
    stage.call(Method::PATCH, &path, &stage.owner, Some(json!({"version": 1, "disabled": true}))).await;
    let key = ticket(&stage, json!([])).await;
    to(&stage, &key, "In progress").await;
    stage.call(Method::PATCH, &path, &stage.owner, Some(json!({"version": 2, "disabled": false}))).await;
    assert_eq!(stage.call(Method::DELETE, &path, &stage.owner, None).await.status, StatusCode::NO_CONTENT);
    let key = ticket(&stage, json!([])).await;
    to(&stage, &key, "In progress").await;
    assert!(firings(&stage).await.is_empty());
    assert_eq!(stage.call(Method::DELETE, &path, &stage.owner, None).await.problem(), "not-found");
}

#[tokio::test]
async fn a_run_does_not_start_its_own_playbook_again() {
    let stage = Stage::new().await;
    let other = json!({"name": "Review", "instructions": "Look.", "harness": "harness_1", "successState": "In progress"});
    stage.post_as(&stage.owner, "/orgs/demo/projects/PRJ/playbooks", other).await;
    // The playbook moves to In review, where the other starts, which moves back to where the first starts.
    rule(&stage, json!({})).await;
    rule(&stage, json!({"state": "In review", "playbook": "Review"})).await;
    let machine = stage.runner("box").await;
    let key = ticket(&stage, json!([])).await;
    to(&stage, &key, "In progress").await;
    for round in ["first", "second"] {
        let taken = stage.take(&machine, round).await.json;
        let (run, fence) = (taken["runId"].as_str().unwrap().to_owned(), taken["fence"].clone());
        stage.say(&machine, &run, "start", json!({"fence": fence})).await;
        stage
            .say(&machine, &run, "finish", json!({"fence": fence, "result": "succeeded", "exitCode": 0}))
            .await;
        stage.work().await;
    }
    assert_eq!(stage.view_item(&key).await["state"], "In progress");
    assert_eq!(stage.take(&machine, "third").await.status, StatusCode::NO_CONTENT, "the circle is cut");
    let fired = firings(&stage).await;
    let why: Vec<_> = fired.iter().filter(|firing| firing["run"].is_null()).map(skipped).collect();
    assert!(
        why.len() == 1 && why[0].contains("No rule starts it again until a person moves the item."),
        "{why:?}"
    );
    to(&stage, &key, "Backlog").await;
    to(&stage, &key, "In progress").await;
    assert_eq!(stage.take(&machine, "fourth").await.status, StatusCode::OK, "a person began again");
    stage.consistent().await;
}

#[tokio::test]
async fn a_message_that_comes_twice_is_recorded_once() {
    let stage = Stage::new().await;
    rule(&stage, json!({})).await;
    let key = ticket(&stage, json!([])).await;
    let version = stage.view_item(&key).await["version"].clone();
    let body = json!({"version": version, "state": "In progress"});
    stage.post_as(&stage.owner, &format!("/orgs/demo/items/{key}/transition"), body).await;
    stage.work_twice().await;
    assert_eq!(firings(&stage).await.len(), 1);
    let runs = stage.get(&format!("/orgs/demo/items/{key}/runs"), &stage.operator).await.json;
    assert_eq!(runs["totalCount"], 1);
}

#[tokio::test]
async fn rules_follow_states_and_labels_that_are_renamed() {
    let stage = Stage::new().await;
    rule(&stage, json!({"label": "auto"})).await;
    stage.post_as(&stage.owner, "/orgs/demo/projects/PRJ/labels", json!({"name": "auto"})).await;
    let label = stage.get("/orgs/demo/projects/PRJ/labels", &stage.owner).await.json;
    let version = label[0]["version"].clone();
    let rename = json!({"version": version, "name": "robot"});
    stage
        .call(Method::PATCH, "/orgs/demo/projects/PRJ/labels/auto", &stage.owner, Some(rename))
        .await
        .is(200);
    let seen = stage.get(RULES, &stage.operator).await.json;
    assert_eq!((&seen[0]["label"], &seen[0]["version"]), (&json!("robot"), &json!(2)));

    let path = "/orgs/demo/projects/PRJ/workflow";
    let renamed = async |from: &str, to: &str| -> Value {
        let workflow = stage.get(path, &stage.owner).await.text;
        serde_json::from_str(&workflow.replace(&format!("\"{from}\""), &format!("\"{to}\""))).unwrap()
    };
    let mut workflow = renamed("In progress", "Doing").await;
    // Without their ids, states of other names are other states.
    for state in workflow["states"].as_array_mut().unwrap() {
        state.as_object_mut().unwrap().remove("id");
    }
    let gone = stage.call(Method::PUT, path, &stage.owner, Some(workflow.clone())).await;
    assert_eq!(gone.status, StatusCode::UNPROCESSABLE_ENTITY, "the rule names the state: {}", gone.text);
    workflow["moveItems"] = json!([{"from": "In progress", "to": "Doing"}]);
    stage.call(Method::PUT, path, &stage.owner, Some(workflow)).await.is(200);
    assert_eq!(stage.get(RULES, &stage.operator).await.json[0]["state"], "Doing");
    stage.call(Method::PUT, path, &stage.owner, Some(renamed("Doing", "Working").await)).await.is(200);
    assert_eq!(stage.get(RULES, &stage.operator).await.json[0]["state"], "Working");
    let key = ticket(&stage, json!(["robot"])).await;
    to(&stage, &key, "Working").await;
    assert_eq!(firings(&stage).await.len(), 1, "the new workflow still knows that there are rules");
}

#[tokio::test]
async fn each_field_that_is_not_acceptable_is_named() {
    let stage = Stage::new().await;
    for (body, field) in [
        (json!({"name": "", "state": "In progress", "playbook": "Implement"}), "name"),
        (json!({"name": "x", "state": "Nowhere", "playbook": "Implement"}), "state"),
        (json!({"name": "x", "state": "Closed", "playbook": "Nothing"}), "playbook"),
        (json!({"name": "x", "state": "Closed", "playbook": "Implement", "agent": "Nobody"}), "agent"),
    ] {
        let refused = stage.post(RULES, &stage.owner, body).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{field}: {}", refused.text);
        assert!(refused.json["errors"][field].is_array(), "{field}: {}", refused.text);
    }
    assert_eq!(
        stage
            .post(RULES, &stage.operator, json!({"name": "x", "state": "Closed", "playbook": "Implement"}))
            .await
            .problem(),
        "forbidden"
    );
    assert_eq!(stage.get(RULES, &stage.member).await.problem(), "factory-not-permitted");
}

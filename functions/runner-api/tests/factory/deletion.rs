//! Agents and playbooks that were deleted: what starts no more, what goes on, and that all of it comes back.

use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::stage::Stage;

const AGENTS: &str = "/orgs/demo/agents";
const PLAYBOOKS: &str = "/orgs/demo/projects/PRJ/playbooks";

/// The address of the only thing in a list.
async fn only(stage: &Stage, list: &str) -> String {
    let all = stage.get(list, &stage.owner).await.json;
    format!("{list}/{}", all[0]["id"].as_str().unwrap())
}

async fn delete(stage: &Stage, path: &str) {
    stage.call(Method::DELETE, path, &stage.owner, None).await.is(204);
}

async fn restore(stage: &Stage, path: &str) -> Value {
    stage.post_as(&stage.owner, &format!("{path}/restore"), json!({})).await
}

async fn names(stage: &Stage, list: &str) -> Vec<Value> {
    let all = stage.get(list, &stage.owner).await.json;
    all.as_array().unwrap().iter().map(|one| one["name"].clone()).collect()
}

#[tokio::test]
async fn a_deleted_agent_starts_nothing_and_everything_that_names_it_says_why() {
    let (stage, machine) = Stage::with_runner().await;
    let agent = only(&stage, AGENTS).await;
    let rule = json!({"name": "Go", "state": "in review", "playbook": "implement", "agent": "Builder"});
    stage.post_as(&stage.owner, "/orgs/demo/projects/PRJ/rules", rule).await;
    let (at_work, _) = stage.assigned(&machine, "At work").await;
    let waiting = stage.item("Waiting").await;
    let waits = stage.start(&waiting, json!({})).await;
    delete(&stage, &agent).await;
    delete(&stage, &agent).await;

    assert_eq!(names(&stage, AGENTS).await, [] as [Value; 0]);
    let listed = stage.get(&format!("{AGENTS}?deleted=true"), &stage.member).await.json;
    assert_eq!(
        (&listed[0]["name"], &listed[0]["deletion"]["by"]["name"]),
        (&json!("Builder"), &json!("ada"))
    );
    let path = "/orgs/demo/projects/PRJ/factory-settings";
    let version = stage.get(path, &stage.owner).await.json["version"].clone();
    let id = agent.rsplit('/').next().unwrap();
    let chosen = json!({"version": version, "defaultAgent": id});
    let chosen = stage.call(Method::PATCH, path, &stage.owner, Some(chosen)).await;
    assert!(chosen.json["errors"]["defaultAgent"][0].to_string().contains("was deleted"), "{}", chosen.text);
    let started = stage.say(&machine, &at_work, "start", json!({"fence": 1})).await;
    assert_eq!(started.status, StatusCode::OK, "what a runner works on goes on: {}", started.text);
    assert_eq!(stage.take(&machine, "second").await.status, StatusCode::NO_CONTENT);
    let reason = stage.view_run(&waits).await["waitingReason"].to_string();
    assert!(reason.contains("The agent Builder was deleted. Restore it"), "{reason}");
    let refused = stage.post(&format!("/orgs/demo/items/{waiting}/runs"), &stage.operator, json!({})).await;
    assert!(refused.status.is_client_error(), "{}", refused.text);
    let new = json!({"type": "task", "title": "Rule", "state": "In review"});
    stage.post_as(&stage.owner, "/orgs/demo/projects/PRJ/items", new).await;
    stage.work().await;
    let fired = stage.get("/orgs/demo/projects/PRJ/rule-firings", &stage.operator).await.json;
    let why = fired["items"][0]["skippedReason"].to_string();
    assert!(why.contains("The agent Builder was deleted."), "{why}");
    let by_id = json!({"version": 2, "name": "Other"});
    let changed = stage.call(Method::PATCH, &agent, &stage.owner, Some(by_id)).await;
    assert_eq!((changed.status, changed.problem()), (StatusCode::GONE, "deleted"), "{}", changed.text);
    assert!(changed.text.contains("An Owner or Admin of the organization can restore it until"));
    stage.consistent().await;

    restore(&stage, &agent).await;
    let again = restore(&stage, &agent).await;
    assert_eq!((&again["name"], &again["deletion"]), (&json!("Builder"), &Value::Null));
    assert_eq!(stage.take(&machine, "third").await.json["runId"], waits.as_str(), "it waited for that");
    stage.consistent().await;
}

#[tokio::test]
async fn a_mention_of_a_deleted_agent_is_a_word() {
    let stage = Stage::new().await;
    let key = stage.item("Fix").await;
    delete(&stage, &only(&stage, AGENTS).await).await;
    let comments = format!("/orgs/demo/items/{key}/comments");
    let said = stage.post_as(&stage.operator, &comments, json!({"body": "@Builder please"})).await;
    assert_eq!(said["mentions"].as_array().map_or(0, Vec::len), 0, "{said}");
    stage.work().await;
    assert_eq!(stage.get("/orgs/demo/runs", &stage.operator).await.json["totalCount"], 0);
}

#[tokio::test]
async fn a_name_is_free_again_and_thirty_days_later_nothing_comes_back() {
    let stage = Stage::new().await;
    let agent = only(&stage, AGENTS).await;
    delete(&stage, &agent).await;
    stage.post_as(&stage.owner, AGENTS, json!({"name": "builder"})).await;
    let taken = stage.post(&format!("{agent}/restore"), &stage.owner, json!({})).await;
    assert_eq!(taken.problem(), "already-exists", "{}", taken.text);
    let possible = "Another agent has taken its name. Rename or delete that one, then restore this one.";
    assert_eq!(taken.json["detail"], possible, "{}", taken.text);
    stage.kit.advance(SignedDuration::from_hours(30 * 24));
    let late = stage.post(&format!("{agent}/restore"), &stage.owner, json!({})).await;
    assert_eq!((late.status, late.problem()), (StatusCode::GONE, "deleted"), "{}", late.text);
    assert!(late.text.contains("can no longer be restored"), "{}", late.text);
    assert_eq!(names(&stage, &format!("{AGENTS}?deleted=true")).await, [] as [Value; 0]);
    stage.consistent().await;
}

#[tokio::test]
async fn a_playbook_comes_back_once_nothing_has_its_names() {
    let stage = Stage::new().await;
    let (playbook, restore) = (only(&stage, PLAYBOOKS).await, |path: &str| format!("{path}/restore"));
    delete(&stage, &playbook).await;
    let path = "/orgs/demo/projects/PRJ/wiki/pages/Factory/Implement";
    stage.call(Method::PUT, path, &stage.owner, Some(json!({"body": "Mine"}))).await.is(200);
    let taken = stage.post(&restore(&playbook), &stage.owner, json!({})).await;
    let possible =
        "Another page has taken its page's path. Rename or delete that one, then restore this one.";
    assert_eq!((taken.problem(), taken.json["detail"].as_str()), ("already-exists", Some(possible)));
    let moved = json!({"version": 1, "to": "Factory/Mine"});
    stage.post("/orgs/demo/projects/PRJ/wiki/move/Factory/Implement", &stage.owner, moved).await.is(200);
    let new = json!({"name": "IMPLEMENT", "harness": "harness_1", "instructions": "Do it."});
    let other = stage.post_as(&stage.owner, PLAYBOOKS, new).await;
    let taken = stage.post(&restore(&playbook), &stage.owner, json!({})).await;
    let possible = "Another playbook has taken its name. Rename or delete that one, then restore this one.";
    assert_eq!((taken.problem(), taken.json["detail"].as_str()), ("already-exists", Some(possible)));
    delete(&stage, &format!("{PLAYBOOKS}/{}", other["id"].as_str().unwrap())).await;
    stage.post(&restore(&playbook), &stage.owner, json!({})).await.is(200);
    stage.consistent().await;
}

#[tokio::test]
async fn without_any_agent_left_a_start_says_what_can_be_done() {
    let stage = Stage::new().await;
    let (key, agent) = (stage.item("Fix").await, only(&stage, AGENTS).await);
    let start = async || {
        let refused = stage.post(&format!("/orgs/demo/items/{key}/runs"), &stage.operator, json!({})).await;
        refused.json["errors"]["agent"][0].as_str().unwrap_or_default().to_owned()
    };
    delete(&stage, &agent).await;
    assert_eq!(start().await, "All agents were deleted. Restore one, or create another.");
    stage.kit.advance(SignedDuration::from_hours(30 * 24));
    assert_eq!(start().await, "There is no agent yet. Create one.");
}

#[tokio::test]
async fn a_deleted_playbook_takes_its_page_along_and_comes_back_with_it() {
    let (stage, machine) = Stage::with_runner().await;
    let playbook = only(&stage, PLAYBOOKS).await;
    let page = "/orgs/demo/projects/PRJ/wiki/pages/Factory/Implement";
    let key = stage.item("Queued").await;
    let queued = stage.start(&key, json!({})).await;
    delete(&stage, &playbook).await;
    delete(&stage, &playbook).await;

    assert_eq!(names(&stage, PLAYBOOKS).await, [] as [Value; 0]);
    assert_eq!(names(&stage, &format!("{PLAYBOOKS}?deleted=true")).await, ["Implement"]);
    assert_eq!(stage.get(&playbook, &stage.owner).await.problem(), "deleted");
    assert_eq!(stage.get(page, &stage.owner).await.status, StatusCode::NOT_FOUND);
    let bin = stage.get("/orgs/demo/projects/PRJ/wiki/deleted", &stage.owner).await.json;
    let alone = format!("/orgs/demo/projects/PRJ/wiki/deleted/{}/restore", bin[0]["id"].as_str().unwrap());
    let refused = stage.post(&alone, &stage.owner, json!({})).await;
    assert!(refused.text.contains("restore the playbook"), "{}", refused.text);
    assert_eq!(stage.take(&machine, "first").await.json["runId"], queued.as_str(), "it has its instructions");
    let other = stage.item("Other").await;
    let refused = stage.post(&format!("/orgs/demo/items/{other}/runs"), &stage.operator, json!({})).await;
    assert!(refused.text.contains("The playbook Implement was deleted."), "{}", refused.text);
    stage.consistent().await;

    let restored = restore(&stage, &playbook).await;
    assert_eq!(
        (&restored["instructions"], &restored["projectDefault"]),
        (&json!("Write the code."), &json!(true)),
        "{restored}"
    );
    assert_eq!(stage.get(page, &stage.owner).await.json["body"], "Write the code.");
    stage.start(&other, json!({})).await;
    stage.consistent().await;
}

#[tokio::test]
async fn thirty_days_later_its_page_can_be_brought_back_without_it_and_nothing_says_that_it_can_be_restored()
{
    let stage = Stage::new().await;
    let agent = only(&stage, AGENTS).await;
    let (item, other) = (stage.item("Queued").await, stage.item("Other").await);
    let queued = stage.start(&item, json!({})).await;
    delete(&stage, &only(&stage, PLAYBOOKS).await).await;
    delete(&stage, &agent).await;
    stage.kit.advance(SignedDuration::from_hours(31 * 24));
    let why = stage.view_run(&queued).await["waitingReason"].to_string();
    assert!(why.contains("can no longer be restored. Cancel the run"), "{why}");
    let refused = stage.post(&format!("/orgs/demo/items/{other}/runs"), &stage.operator, json!({})).await;
    assert!(refused.text.contains("It can no longer be restored: name another."), "{}", refused.text);

    let deleted = "/orgs/demo/projects/PRJ/wiki/deleted";
    let bin = stage.get(deleted, &stage.owner).await.json;
    let alone = format!("{deleted}/{}/restore", bin[0]["id"].as_str().unwrap());
    stage.post_as(&stage.owner, &alone, json!({})).await;
    stage.consistent().await;
    // The clock of the next server is behind.
    stage.kit.advance(SignedDuration::from_hours(-3 * 24));
    stage.consistent().await;
}

#[tokio::test]
async fn a_deleted_playbook_keeps_no_state_and_comes_back_without_those_that_went() {
    let stage = Stage::new().await;
    let playbook = only(&stage, PLAYBOOKS).await;
    delete(&stage, &playbook).await;
    let workflow = "/orgs/demo/projects/PRJ/workflow";
    let mut flow = stage.get(workflow, &stage.owner).await.json;
    let states = flow["states"].as_array_mut().unwrap();
    states.retain(|state| state["name"] != "In review");
    let moves = flow["moves"].as_array_mut().unwrap();
    moves.retain(|step| step["from"] != "In review" && step["to"] != "In review");
    let set = stage.call(Method::PUT, workflow, &stage.owner, Some(flow)).await;
    assert!(set.status.is_success(), "{}", set.text);
    let restored = restore(&stage, &playbook).await;
    assert_eq!((&restored["successState"], &restored["failureState"]), (&Value::Null, &json!("Backlog")));
    stage.consistent().await;
}

#[tokio::test]
async fn only_those_who_manage_them_delete_and_restore() {
    let stage = Stage::new().await;
    for path in [only(&stage, AGENTS).await, only(&stage, PLAYBOOKS).await] {
        for token in [&stage.operator, &stage.member] {
            stage.call(Method::DELETE, &path, token, None).await.is(403);
        }
        delete(&stage, &path).await;
        stage.post(&format!("{path}/restore"), &stage.operator, json!({})).await.is(403);
    }
}

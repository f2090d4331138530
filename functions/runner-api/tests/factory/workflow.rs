//! What a change of the workflow does to playbooks and runs, which name its states.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_testkit::Reply;

use crate::stage::Stage;

/// Sets these states, with moves both ways between neighbours.
async fn set(stage: &Stage, states: &[&str], move_items: Value) -> Reply {
    let path = "/orgs/demo/projects/PRJ/workflow";
    let version = stage.get(path, &stage.owner).await.json["version"].clone();
    let group = |n: usize| ["backlog", "active", "active", "resolved", "closed"][n];
    let states_json: Vec<Value> =
        states.iter().enumerate().map(|(n, name)| json!({"name": name, "group": group(n)})).collect();
    let pairs = states.windows(2).flat_map(|pair| [(pair[0], pair[1]), (pair[1], pair[0])]);
    let moves: Vec<Value> = pairs.map(|(from, to)| json!({"from": from, "to": to})).collect();
    let body = json!({"version": version, "states": states_json, "moves": moves, "moveItems": move_items});
    stage.call(Method::PUT, path, &stage.owner, Some(body)).await
}

async fn playbook(stage: &Stage) -> Value {
    stage.get("/orgs/demo/projects/PRJ/playbooks", &stage.owner).await.json[0].clone()
}

const RENAMED: [&str; 5] = ["Backlog", "In progress", "Checking", "Resolved", "Closed"];

#[tokio::test]
async fn a_state_that_a_playbook_names_goes_only_when_another_takes_its_place() {
    let stage = Stage::new().await;
    let refused = set(&stage, &RENAMED, json!([])).await;
    assert_eq!(refused.problem(), "validation-failed", "{}", refused.text);
    assert_eq!(
        refused.json["errors"]["states"],
        json!([
            "\"In review\" is the success state of the playbook \"Implement\". Keep it, or say in moveItems \
             which state takes its place."
        ])
    );
    assert_eq!(playbook(&stage).await["successState"], "In review");
    let renamed = set(&stage, &RENAMED, json!([{"from": "In review", "to": "checking"}])).await;
    assert_eq!(renamed.status, StatusCode::OK, "{}", renamed.text);
    let playbook = playbook(&stage).await;
    assert_eq!(
        (&playbook["successState"], &playbook["failureState"], &playbook["version"]),
        (&json!("Checking"), &json!("Backlog"), &json!(2))
    );
}

#[tokio::test]
async fn a_state_that_is_written_otherwise_is_so_in_playbooks() {
    let stage = Stage::new().await;
    let set = set(&stage, &["Backlog", "In progress", "In Review", "Resolved", "Closed"], json!([])).await;
    assert_eq!(set.status, StatusCode::OK, "{}", set.text);
    assert_eq!(playbook(&stage).await["successState"], "In Review");
}

#[tokio::test]
async fn a_run_under_way_ends_in_the_state_that_its_playbook_names_by_then() {
    let stage = Stage::new().await;
    let machine = stage.runner("box").await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    stage.say(&machine, &run, "start", json!({"fence": 1})).await;
    let renamed = set(&stage, &RENAMED, json!([{"from": "In review", "to": "Checking"}])).await;
    assert_eq!(renamed.status, StatusCode::OK, "{}", renamed.text);
    let end = json!({"fence": 1, "result": "succeeded", "outcome": "Done as asked."});
    let ended = stage.say(&machine, &run, "finish", end).await;
    assert_eq!(ended.status, StatusCode::NO_CONTENT, "{}", ended.text);
    assert_eq!(stage.view_item("PRJ-1").await["state"], "Checking");
    assert!(stage.history("PRJ-1").await.contains(&"transitioned Checking".to_owned()));
}

//! What a change of the workflow does to what names its states: playbooks, refinement settings and runs.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_storage::keys;
use svc_testkit::{Gate, Reply, call};

use crate::stage::{AREAS, Stage};

const WORKFLOW: &str = "/orgs/demo/projects/PRJ/workflow";

/// Sets these states, with moves both ways between neighbours.
async fn set(stage: &Stage, states: &[&str], move_items: Value) -> Reply {
    let body = wanted(stage, states, move_items).await;
    stage.call(Method::PUT, WORKFLOW, &stage.owner, Some(body)).await
}

/// What sets them.
async fn wanted(stage: &Stage, states: &[&str], move_items: Value) -> Value {
    let version = stage.get(WORKFLOW, &stage.owner).await.json["version"].clone();
    let group = |n: usize, name: &str| match name {
        "Closed" => "closed",
        _ => ["backlog", "active", "active", "resolved"][n],
    };
    let states_json: Vec<Value> =
        states.iter().enumerate().map(|(n, name)| json!({"name": name, "group": group(n, name)})).collect();
    let pairs = states.windows(2).flat_map(|pair| [(pair[0], pair[1]), (pair[1], pair[0])]);
    let moves: Vec<Value> = pairs.map(|(from, to)| json!({"from": from, "to": to})).collect();
    json!({"version": version, "states": states_json, "moves": moves, "moveItems": move_items})
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
            "\"In review\" is the success state of the playbook \"Implement\". Keep it, or name its replacement in moveItems."
        ])
    );
    assert_eq!(playbook(&stage).await["successState"], "In review");
    set(&stage, &RENAMED, json!([{"from": "In review", "to": "checking"}])).await.is(200);
    let playbook = playbook(&stage).await;
    assert_eq!(
        (&playbook["successState"], &playbook["failureState"], &playbook["version"]),
        (&json!("Checking"), &json!("Backlog"), &json!(2))
    );
}

#[tokio::test]
async fn a_state_that_is_written_otherwise_is_so_in_playbooks() {
    let stage = Stage::new().await;
    set(&stage, &["Backlog", "In progress", "In Review", "Resolved", "Closed"], json!([])).await.is(200);
    assert_eq!(playbook(&stage).await["successState"], "In Review");
}

#[tokio::test]
async fn a_run_under_way_ends_in_the_state_that_its_playbook_names_by_then() {
    let (stage, machine) = Stage::with_runner().await;
    let (run, _) = stage.assigned(&machine, "Fix").await;
    stage.say(&machine, &run, "start", json!({"fence": 1})).await;
    set(&stage, &RENAMED, json!([{"from": "In review", "to": "Checking"}])).await.is(200);
    let end = json!({"fence": 1, "result": "succeeded", "outcome": "Done as asked."});
    stage.say(&machine, &run, "finish", end).await.is(204);
    assert_eq!(stage.view_item("PRJ-1").await["state"], "Checking");
    assert!(stage.history("PRJ-1").await.contains(&"transitioned Checking".to_owned()));
}

#[tokio::test]
async fn the_state_that_refined_tickets_go_to_goes_only_when_another_takes_its_place() {
    let stage = Stage::new().await;
    let path = "/orgs/demo/projects/PRJ/refinement-settings";
    let change = json!({"version": 0, "refinedState": "Resolved"});
    stage.call(Method::PATCH, path, &stage.operator, Some(change)).await;
    let settings = async || stage.get(path, &stage.operator).await.json;

    let refused = set(&stage, &["Backlog", "In progress", "In review", "Done", "Closed"], json!([])).await;
    assert_eq!(
        refused.json["errors"]["states"],
        json!([
            "\"Resolved\" is the state that refined tickets go to. Keep it, or name its replacement in moveItems."
        ]),
        "{}",
        refused.text
    );
    set(&stage, &["Backlog", "In progress", "In review", "RESOLVED", "Closed"], json!([])).await.is(200);
    assert_eq!(settings().await["refinedState"], "RESOLVED");
    let moves = json!([{"from": "resolved", "to": "closed"}]);
    set(&stage, &["Backlog", "In progress", "In review", "Closed"], moves).await.is(200);
    let settings = settings().await;
    assert_eq!((&settings["refinedState"], &settings["version"]), (&json!("Closed"), &json!(3)));
}

/// A save that names the state Resolved: how it is asked for, and where the name is then.
struct Save {
    method: Method,
    path: String,
    body: Value,
    field: &'static str,
}

/// Every save that names a state.
async fn saves(stage: &Stage) -> Vec<Save> {
    let playbooks = "/orgs/demo/projects/PRJ/playbooks";
    let existing = playbook(stage).await["id"].as_str().unwrap().to_owned();
    let new =
        json!({"name": "New", "instructions": "Do.", "harness": "harness_1", "failureState": "Resolved"});
    let save = |method, path: String, body, field| Save { method, path, body, field };
    vec![
        save(Method::POST, playbooks.to_owned(), new, "failureState"),
        save(
            Method::PATCH,
            format!("{playbooks}/{existing}"),
            json!({"version": 1, "successState": "Resolved"}),
            "successState",
        ),
        save(
            Method::PATCH,
            "/orgs/demo/projects/PRJ/refinement-settings".to_owned(),
            json!({"version": 0, "refinedState": "Resolved"}),
            "refinedState",
        ),
    ]
}

/// Another process on the same store, whose commits can be held.
fn gated(stage: &Stage) -> (axum::Router, std::sync::Arc<Gate>) {
    let (kit, gate) = stage.kit.beside().gated();
    (kit.router(&AREAS), gate)
}

const WITHOUT_RESOLVED: [&str; 4] = ["Backlog", "In progress", "In review", "Closed"];

#[tokio::test]
async fn what_is_saved_while_its_state_goes_is_told_that_there_is_none() {
    for n in 0..3 {
        let stage = Stage::new().await;
        let (router, gate) = gated(&stage);
        let key = keys::workflow(stage.org.id, &"PRJ".parse().unwrap());
        let save = saves(&stage).await.remove(n);
        let saving = call(&router, save.method, &save.path, Some(&stage.owner), Some(save.body));
        let (saved, set) = gate.meanwhile(key, saving, set(&stage, &WITHOUT_RESOLVED, json!([]))).await;
        assert_eq!(set.status, StatusCode::OK, "{}", set.text);
        assert!(saved.json["errors"][save.field].is_array(), "{} {}", save.path, saved.text);
    }
}

#[tokio::test]
async fn a_state_that_something_names_by_now_does_not_go_unnoticed() {
    for n in 0..3 {
        let stage = Stage::new().await;
        let (router, gate) = gated(&stage);
        let key = keys::workflow(stage.org.id, &"PRJ".parse().unwrap());
        let save = saves(&stage).await.remove(n);
        let body = wanted(&stage, &WITHOUT_RESOLVED, json!([])).await;
        let setting = call(&router, Method::PUT, WORKFLOW, Some(&stage.owner), Some(body));
        let saving = stage.call(save.method, &save.path, &stage.owner, Some(save.body));
        let (set, saved) = gate.meanwhile(key.clone(), setting, saving).await;
        assert!(saved.status.is_success(), "{} {}", save.path, saved.text);
        assert!(set.json["errors"]["states"].is_array(), "{} {}", save.path, set.text);

        // With another in its place it goes, and whatever is saved meanwhile names that one in the end.
        let version = saved.json["version"].clone();
        let id = saved.json["id"].as_str().map(|id| format!("/orgs/demo/projects/PRJ/playbooks/{id}"));
        let path = id.unwrap_or(save.path);
        let body = wanted(&stage, &WITHOUT_RESOLVED, json!([{"from": "Resolved", "to": "Closed"}])).await;
        let setting = call(&router, Method::PUT, WORKFLOW, Some(&stage.owner), Some(body));
        let again = json!({"version": version, save.field: "Resolved"});
        let saving = stage.call(Method::PATCH, &path, &stage.owner, Some(again));
        let (set, _) = gate.meanwhile(key, setting, saving).await;
        assert_eq!(set.status, StatusCode::OK, "{path} {}", set.text);
        assert_eq!(stage.get(&path, &stage.owner).await.json[save.field], "Closed", "{path}");
    }
}

//! The workflow of a project.

use http::Method;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::world::World;

fn two_states(version: u64) -> Value {
    json!({
        "version": version,
        "states": [{"name": "Todo", "group": "backlog"}, {"name": "Done", "group": "closed"}],
        "moves": [{"from": "Todo", "to": "Done"}],
    })
}

#[tokio::test]
async fn admins_replace_the_workflow_and_items_follow_it() {
    let world = World::new().await;
    assert_snapshot!(world.get("/projects/PRJ/workflow").await.snapshot());
    let put = |token, body| world.change_as(token, Method::PUT, "/projects/PRJ/workflow", body);
    assert_eq!(put(&world.ada.token, two_states(1)).await.problem(), "forbidden");
    let set = put(&world.chief.token, two_states(1)).await;
    assert_eq!((set.status.as_u16(), &set.json["version"]), (200, &json!(2)), "{}", set.text);
    let stale = put(&world.chief.token, two_states(1)).await;
    assert_eq!((stale.problem(), &stale.json["currentVersion"]), ("stale-version", &json!(2)));

    let item = world.item("First").await;
    assert_eq!((&item["state"], &item["stateGroup"]), (&json!("Todo"), &json!("backlog")));
    let done = world.post("/items/PRJ-1/transition", json!({"version": 1, "state": "done"})).await;
    assert_eq!((&done.json["state"], &done.json["stateGroup"]), (&json!("Done"), &json!("closed")));
}

#[tokio::test]
async fn a_state_that_items_are_in_cannot_be_left_out() {
    let world = World::new().await;
    world.item("One").await;
    world.item("Two").await;
    let path = "/projects/PRJ/workflow";
    let refused = world.change_as(&world.chief.token, Method::PUT, path, two_states(1)).await;
    assert_snapshot!(refused.snapshot());
}

#[tokio::test]
async fn a_state_may_be_written_otherwise_while_items_are_in_it() {
    let world = World::new().await;
    world.item("One").await;
    let mut body = two_states(1);
    body["states"][0]["name"] = "BACKLOG".into();
    body["moves"][0]["from"] = "BACKLOG".into();
    world.change_as(&world.chief.token, Method::PUT, "/projects/PRJ/workflow", body).await.is(200);
    let item = world.get("/items/PRJ-1").await.json;
    assert_eq!(
        (&item["state"], &item["version"]),
        (&json!("BACKLOG"), &json!(2)),
        "items are written so too"
    );
    world.post("/items/PRJ-1/transition", json!({"version": 2, "state": "Done"})).await.is(200);
}

#[tokio::test]
async fn a_workflow_that_does_not_hold_together_is_refused() {
    let world = World::new().await;
    let body = json!({
        "version": 1,
        "states": [{"name": "Backlog", "group": "backlog"}, {"name": "backlog", "group": "active"}],
        "moves": [{"from": "Backlog", "to": "Nowhere"}],
    });
    let refused = world.change_as(&world.chief.token, Method::PUT, "/projects/PRJ/workflow", body).await;
    assert_snapshot!(refused.snapshot());
    let body = json!({"version": 1, "states": [{"name": "A", "group": "soon"}], "moves": []});
    let refused =
        world.change_as(&world.chief.token, Method::PUT, "/projects/PRJ/workflow", body).await.is(422);
    assert!(refused.json["errors"]["states"][0].as_str().unwrap().contains("backlog, active"));
}

#[tokio::test]
async fn a_state_that_is_renamed_by_its_id_keeps_the_id_and_takes_its_items_along() {
    let world = World::new().await;
    world.item("One").await;
    let mut set = world.get("/projects/PRJ/workflow").await.json;
    assert_eq!(set["states"][0]["id"], "backlog");
    set["states"][0]["name"] = "Ideas".into();
    for step in set["moves"].as_array_mut().unwrap() {
        for end in ["from", "to"] {
            if step[end] == "Backlog" {
                step[end] = "Ideas".into();
            }
        }
    }
    let put = |body: Value| world.change_as(&world.chief.token, Method::PUT, "/projects/PRJ/workflow", body);
    let renamed = put(set.clone()).await.is(200);
    let state = &renamed.json["states"][0];
    assert_eq!((&state["id"], &state["name"]), (&json!("backlog"), &json!("Ideas")));
    assert_eq!(world.get("/items/PRJ-1").await.json["state"], "Ideas");
    set["version"] = renamed.json["version"].clone();
    set["states"][0]["id"] = "unknown".into();
    let refused = put(set).await;
    assert_eq!(refused.problem(), "validation-failed", "{}", refused.text);
    assert!(refused.text.contains("There is no state with the id"), "{}", refused.text);
}

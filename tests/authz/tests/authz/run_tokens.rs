//! What the token of a run reaches: its own item and the subtasks of that. The matrix shows the other half, an
//! agent at an item that is not its own.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_authz::who::Caller;
use svc_authz::world::{Open, World};
use svc_testkit::{Reply, call};

async fn ask(world: &World, open: &Open, method: Method, path: &str, body: Value) -> Reply {
    let token = world.token(Caller::Agent);
    call(&open.router, method, &format!("/orgs/demo{path}"), Some(token), Some(body)).await
}

#[tokio::test]
async fn the_agent_of_a_run_works_on_its_item_and_the_subtasks_of_that() {
    let world = World::new().await;
    let open = world.open();
    // The world's agent works on the second item.
    let own = "/items/PRJ-2";
    let part =
        ask(&world, &open, Method::POST, &format!("{own}/subtasks"), json!({"title": "Part", "estimate": 1}))
            .await;
    assert_eq!(part.status, StatusCode::CREATED, "{}", part.text);
    let part = format!("/items/{}", part.json["key"].as_str().expect("a key"));
    for item in [own, part.as_str()] {
        let version = ask(&world, &open, Method::GET, item, Value::Null).await.json["version"].clone();
        let edit = json!({"version": version, "priority": "high"});
        let edited = ask(&world, &open, Method::PATCH, item, edit).await;
        assert_eq!(edited.status, StatusCode::OK, "{item}: {}", edited.text);
        let said =
            ask(&world, &open, Method::POST, &format!("{item}/comments"), json!({"body": "Done."})).await;
        assert_eq!(said.status, StatusCode::CREATED, "{item}: {}", said.text);
    }
    let version = ask(&world, &open, Method::GET, &part, Value::Null).await.json["version"].clone();
    let claimed =
        ask(&world, &open, Method::POST, &format!("{part}/claim"), json!({"version": version})).await;
    assert_eq!(claimed.status, StatusCode::OK, "{}", claimed.text);
}

#[tokio::test]
async fn the_agent_of_a_run_changes_nothing_else_of_its_project() {
    let world = World::new().await;
    let open = world.open();
    let guide = "/projects/PRJ/wiki/pages/Guide";
    for (method, path, body) in [
        (Method::PATCH, "/items/PRJ-1", json!({"version": 1, "priority": "high"})),
        (Method::POST, "/items/PRJ-1/claim", json!({"version": 1})),
        (Method::POST, "/items/PRJ-1/comments", json!({"body": "Hello."})),
        (Method::POST, "/items/PRJ-1/subtasks", json!({"title": "Part", "estimate": 1})),
        (Method::POST, "/projects/PRJ/items", json!({"type": "task", "title": "Mine"})),
        (Method::PUT, guide, json!({"version": 1, "body": "Mine."})),
        (Method::DELETE, guide, json!({})),
        (Method::POST, "/items/PRJ-1/runs", json!({})),
        (Method::PATCH, "/projects/PRJ/factory-settings", json!({"version": 1, "defaultBranch": "mine"})),
    ] {
        let refused = ask(&world, &open, method.clone(), path, body).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{method} {path}: {}", refused.text);
    }
    assert_eq!(ask(&world, &open, Method::GET, "/items/PRJ-1", Value::Null).await.status, StatusCode::OK);
    assert_eq!(ask(&world, &open, Method::GET, guide, Value::Null).await.status, StatusCode::OK);
}

//! What a caller may not see looks exactly like what is not there.

use http::Method;
use serde_json::{Value, json};
use svc_domain::identity::{OrgRole, Scope};
use svc_testkit::{Reply, call, scopes};

use crate::world::{World, person};

/// Every operation on an item and on a project, with a body that is acceptable.
fn operations(project: &str, item: &str) -> Vec<(Method, String, Option<Value>)> {
    let of_item = |rest: &str| format!("/items/{item}{rest}");
    let of_project = |rest: &str| format!("/projects/{project}{rest}");
    let workflow = json!({"version": 1, "states": [{"name": "A", "group": "active"}], "moves": []});
    vec![
        (Method::GET, of_item(""), None),
        (Method::PATCH, of_item(""), Some(json!({"version": 1, "title": "X"}))),
        (Method::POST, of_item("/transition"), Some(json!({"version": 1, "state": "Closed"}))),
        (Method::POST, of_item("/claim"), Some(json!({"version": 1}))),
        (Method::POST, of_item("/release"), None),
        (Method::POST, of_item("/heartbeat"), None),
        (Method::GET, of_item("/comments"), None),
        (Method::POST, of_item("/comments"), Some(json!({"body": "X"}))),
        (Method::GET, of_item("/history"), None),
        (Method::GET, of_item("/links"), None),
        (Method::POST, of_item("/links"), Some(json!({"type": "relates", "item": item}))),
        (Method::POST, of_item("/links"), Some(json!({"url": "https://code.example/pull/1"}))),
        (Method::DELETE, of_item("/links?url=https://code.example/pull/1"), None),
        (Method::GET, of_item("/subtasks"), None),
        (Method::POST, of_item("/subtasks"), Some(json!({"title": "X", "estimate": 1}))),
        (Method::GET, of_item("/watchers"), None),
        (Method::PUT, of_item("/watch"), None),
        (Method::DELETE, of_item("/watch"), None),
        (Method::GET, of_project(""), None),
        (Method::PATCH, of_project(""), Some(json!({"version": 1, "name": "X"}))),
        (Method::GET, of_project("/workflow"), None),
        (Method::PUT, of_project("/workflow"), Some(workflow)),
        (
            Method::POST,
            of_project("/items/bulk"),
            Some(json!({"items": [{"key": item, "version": 1}], "state": "In progress"})),
        ),
        (Method::GET, of_project("/templates"), None),
        (Method::POST, of_project("/templates"), Some(json!({"name": "x", "type": "task"}))),
        (Method::GET, of_project("/changes"), None),
        (Method::GET, of_project("/changes/stream"), None),
        (Method::GET, of_project("/labels"), None),
        (Method::POST, of_project("/labels"), Some(json!({"name": "x"}))),
        (Method::GET, of_project("/items"), None),
        (Method::POST, of_project("/items"), Some(json!({"type": "task", "title": "X"}))),
    ]
}

async fn ask(world: &World, slug: &str, token: &str, operation: &(Method, String, Option<Value>)) -> Reply {
    let (method, path, body) = operation.clone();
    call(&world.router, method, &format!("/orgs/{slug}{path}"), Some(token), body).await
}

#[tokio::test]
async fn foreign_and_absent_are_the_same_to_the_byte() {
    let world = World::new().await;
    world.item("Item").await;
    let other = world.kit.org("other").await;
    let stranger = person(&world.kit, &other, "eve@example.com", OrgRole::Owner).await;
    let bound = world.kit.token(world.ada.id, scopes(), Some(&other)).await;
    let hidden = world.kit.project(&world.org, "HID").await;
    let (_, _, agent_elsewhere) = world.kit.agent_token(&world.org, &hidden).await;

    let absent = operations("NONE", "NONE-1");
    for (n, operation) in operations("PRJ", "PRJ-1").iter().enumerate() {
        let nowhere = ask(&world, "nowhere", &world.ada.token, &absent[n]).await;
        assert_eq!(nowhere.status, 404, "{operation:?}");
        for (who, slug, token, operation) in [
            ("of another organization", "demo", &stranger.token, operation),
            ("no member of the project", "demo", &world.outsider.token, operation),
            ("with a token bound elsewhere", "demo", &bound, operation),
            ("agent of another project", "demo", &agent_elsewhere, operation),
            ("asks for what is absent", "demo", &world.owner, &absent[n]),
            ("asks for a malformed key", "demo", &world.owner, &operations("no%20key", "no%20key")[n]),
        ] {
            let reply = ask(&world, slug, token, operation).await;
            assert_eq!(reply.snapshot(), nowhere.snapshot(), "{who}: {operation:?}");
        }
    }
}

#[tokio::test]
async fn an_absent_item_of_a_visible_project_is_absent_whatever_is_asked() {
    let world = World::new().await;
    for operation in operations("PRJ", "PRJ-404").iter().filter(|(_, path, _)| path.starts_with("/items")) {
        let reply = ask(&world, "demo", &world.chief.token, operation).await;
        assert_eq!((reply.status.as_u16(), reply.problem()), (404, "not-found"), "{operation:?}");
    }
}

#[tokio::test]
async fn guests_read_and_comment_and_nothing_more() {
    let world = World::new().await;
    world.item("Item").await;
    for operation in &operations("PRJ", "PRJ-1") {
        let reply = ask(&world, "demo", &world.guest.token, operation).await;
        let permitted = operation.0 == Method::GET
            || operation.1.ends_with("/comments")
            || operation.1.ends_with("/watch");
        let expected = if permitted { reply.status.is_success() } else { reply.problem() == "forbidden" };
        assert!(expected, "{operation:?}: {}", reply.text);
    }
}

#[tokio::test]
async fn credentials_and_scopes_are_checked_everywhere() {
    let world = World::new().await;
    world.item("Item").await;
    let reader = world.kit.token(world.chief.id, &[Scope::Read], None).await;
    let (_, runner) = world.kit.runner_secret(&world.org).await;
    for operation in &operations("PRJ", "PRJ-1") {
        let reply = ask(&world, "demo", "nonsense", operation).await;
        assert_eq!((reply.status.as_u16(), reply.problem()), (401, "unauthenticated"), "{operation:?}");
        let reply = ask(&world, "demo", &reader, operation).await;
        let expected = if operation.0 == Method::GET { 200 } else { 403 };
        assert_eq!(reply.status, expected, "{operation:?}: {}", reply.text);
        let reply = ask(&world, "demo", &runner, operation).await;
        assert_eq!(reply.status, 403, "{operation:?}");
    }
}

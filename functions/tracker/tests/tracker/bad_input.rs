//! Bodies that are wrong: each is refused as such, naming the field, and nothing changes.

use axum::body::Body;
use http::{Method, Request};
use insta::assert_snapshot;
use serde_json::{Value, json};
use svc_testkit::send;

use crate::world::World;

#[tokio::test]
async fn every_wrong_field_of_a_new_item_is_named() {
    let world = World::new().await;
    let new = json!({
        "type": "task", "title": "", "body": "x".repeat(100_001), "labels": ["two,words"], "estimate": -1,
        "assignee": "nobody", "parent": "PRJ-7", "state": "Nowhere",
    });
    let refused = world.post("/projects/PRJ/items", new).await;
    let fields: Vec<_> = refused.json["errors"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(fields, ["assignee", "body", "estimate", "labels", "parent", "state", "title"]);
    assert_eq!(world.item("The first").await["key"], "PRJ-1", "what is refused uses no number");
}

#[tokio::test]
async fn bodies_that_are_no_new_item_are_refused() {
    let world = World::new().await;
    let bodies = [
        json!({"title": "No type"}),
        json!({"type": "task"}),
        json!({"type": "wish", "title": "Unknown type"}),
        json!({"type": "task", "title": "Unknown priority", "priority": "urgent"}),
        json!({"type": "task", "title": 7}),
        json!({"type": "task", "title": "Unknown field", "colour": "red"}),
        json!({"type": "task", "title": "Not a number", "estimate": "much"}),
        json!({"type": "task", "title": "x".repeat(301)}),
        json!({"type": "task", "title": "two\nlines"}),
        json!({"type": "task", "title": "Too many", "labels": (0..51).map(|n| n.to_string()).collect::<Vec<_>>()}),
        json!({"type": "task", "title": "Endless", "estimate": 1e300}),
        json!([]),
        json!("text"),
        Value::Bool(true),
    ];
    for body in bodies {
        let reply = world.post("/projects/PRJ/items", body.clone()).await;
        assert_eq!((reply.status.as_u16(), reply.problem()), (422, "validation-failed"), "{body}");
        assert!(!reply.json["errors"].as_object().unwrap().is_empty(), "{body}");
    }
    assert_eq!(world.get("/projects/PRJ/items").await.json["totalCount"], 0);
    let unknown = world.post("/projects/PRJ/items", json!({"type": "wish", "title": "Unknown"})).await;
    assert_snapshot!(unknown.snapshot());
}

#[tokio::test]
async fn changes_without_a_version_or_with_nonsense_are_refused() {
    let world = World::new().await;
    world.item("Item").await;
    for (path, body) in [
        ("/items/PRJ-1", json!({"title": "No version"})),
        ("/items/PRJ-1", json!({"version": "1", "title": "Text"})),
        ("/items/PRJ-1", json!({"version": -1, "title": "Negative"})),
        ("/items/PRJ-1", json!({"version": 1, "state": "Closed"})),
        ("/items/PRJ-1", json!({"version": 1, "claim": null})),
        ("/items/PRJ-1", json!({"version": 1, "labels": ["a"], "addLabels": ["b"]})),
        ("/items/PRJ-1", json!({"version": 1, "type": "wish"})),
    ] {
        let reply = world.patch(path, body.clone()).await;
        assert_eq!((reply.status.as_u16(), reply.problem()), (422, "validation-failed"), "{body}");
    }
    for (path, body) in [
        ("/items/PRJ-1/claim", json!({})),
        ("/items/PRJ-1/claim", json!({"version": 1, "force": true})),
        ("/items/PRJ-1/transition", json!({"state": "In progress"})),
        ("/items/PRJ-1/transition", json!({"version": 1})),
    ] {
        let reply = world.post(path, body.clone()).await;
        assert_eq!((reply.status.as_u16(), reply.problem()), (422, "validation-failed"), "{body}");
    }
    assert_eq!(world.history("PRJ-1").await.len(), 1);
}

#[tokio::test]
async fn null_clears_what_can_be_cleared_and_nothing_else() {
    let world = World::new().await;
    world.item("Item").await;
    let change = json!({"version": 1, "estimate": null, "assignee": null});
    assert_eq!(world.patch("/items/PRJ-1", change).await.status, 200);
    let nulls = json!({"version": 2, "title": null, "estimate": 3});
    let refused = world.patch("/items/PRJ-1", nulls).await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (422, "validation-failed"));
    let why = "cannot be cleared; leave it out to keep what there is";
    assert_eq!(refused.json["errors"], json!({"title": [why]}));
    let many = json!({"items": [{"key": "PRJ-1", "version": 2}], "change": {"priority": null}});
    let refused = world.post("/projects/PRJ/items/bulk", many).await;
    assert_eq!(refused.json["errors"], json!({"change.priority": [why]}), "{}", refused.text);
    assert_eq!(world.get("/items/PRJ-1").await.json["estimate"], Value::Null);
}

#[tokio::test]
async fn what_is_no_json_or_too_large_is_refused() {
    let world = World::new().await;
    world.item("Item").await;
    let ask = async |media_type: &str, body: String| {
        let request = Request::builder()
            .method(Method::PATCH)
            .uri("/api/v1/orgs/demo/items/PRJ-1")
            .header("authorization", format!("Bearer {}", world.ada.token))
            .header("content-type", media_type);
        let reply = send(&world.router, request.body(Body::from(body)).unwrap()).await;
        (reply.status.as_u16(), reply.problem().to_owned())
    };
    let refused = |status: u16, problem: &str| (status, problem.to_owned());
    assert_eq!(ask("application/json", "{".into()).await, refused(400, "malformed-request"));
    assert_eq!(ask("text/plain", "{}".into()).await, refused(415, "unsupported-media-type"));
    let huge = format!("{{\"version\": 1, \"body\": \"{}\"}}", "x".repeat(2 * 1024 * 1024));
    assert_eq!(ask("application/json", huge).await, refused(413, "too-large"));
    assert_eq!(world.get("/items/PRJ-1").await.json["version"], 1);
}

#[tokio::test]
async fn projects_are_checked() {
    let world = World::new().await;
    for body in [
        json!({"key": "prj", "name": "Lower case"}),
        json!({"key": "X", "name": "Short"}),
        json!({"key": "NEW"}),
        json!({"key": "NEW", "name": " "}),
        json!({"key": "NEW", "name": "x".repeat(101)}),
        json!({"key": "NEW", "name": "New", "description": "x".repeat(10_001)}),
        json!({"key": "NEW", "name": "New", "archived": true}),
    ] {
        let reply = world.post_as(&world.owner, "/projects", body.clone()).await;
        assert_eq!((reply.status.as_u16(), reply.problem()), (422, "validation-failed"), "{body}");
    }
}

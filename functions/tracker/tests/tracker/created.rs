//! What is created says where it can be read, and can be read there.

use axum::body::Body;
use http::{Method, Request, header};
use jiff::SignedDuration;
use serde_json::json;
use svc_domain::identity::ProjectRole;
use svc_testkit::{call, send};

use crate::world::World;

#[tokio::test]
async fn what_is_created_is_read_at_its_location() {
    let world = World::with_team().await;
    world.item("The first").await;
    let new = |path: &str, body| (path.to_owned(), body);
    for (path, body) in [
        new("/projects", json!({"key": "NEW", "name": "New"})),
        new("/projects/PRJ/items", json!({"type": "task", "title": "New"})),
        new("/items/PRJ-1/subtasks", json!({"title": "New", "estimate": 1})),
        new("/items/PRJ-1/comments", json!({"body": "New"})),
        new("/items/PRJ-1/attachments", json!({"name": "a.txt", "size": 3, "contentType": "text/plain"})),
        new("/projects/PRJ/teams", json!({"key": "ops", "name": "New"})),
        new("/projects/PRJ/sprints", json!({"team": "web", "name": "New"})),
    ] {
        let made = world.post_as(&world.owner, &path, body).await;
        assert_eq!(made.status, 201, "{path}: {}", made.text);
        let location = made.header("location").strip_prefix("/api/v1").unwrap();
        let mut read = call(&world.router, Method::GET, location, Some(&world.owner), None).await;
        assert_eq!(read.status, 200, "{path}: {location}");
        // What the caller may do is told where one item is viewed.
        if let Some(object) = read.json.as_object_mut().filter(|object| object.contains_key("stateGroup")) {
            object.remove("can");
        }
        let made = if made.json["attachment"].is_object() { &made.json["attachment"] } else { &made.json };
        assert_eq!(&read.json, made, "{path}");
    }
}

#[tokio::test]
async fn a_creation_repeated_under_its_key_gets_the_first_answer_while_the_item_can_be_read() {
    let world = World::new().await;
    let web = world.kit.project(&world.org, "WEB").await;
    world.kit.project_member(&world.org, &web, world.ada.id, ProjectRole::Member).await;
    let create = async || {
        let request = Request::post("/api/v1/orgs/demo/projects/PRJ/items")
            .header(header::AUTHORIZATION, format!("Bearer {}", world.ada.token))
            .header(header::CONTENT_TYPE, "application/json")
            .header("idempotency-key", "k")
            .body(Body::from(json!({"type": "task", "title": "first"}).to_string()));
        send(&world.router, request.unwrap()).await
    };
    let first = create().await.is(201);
    let same = async || {
        let again = create().await;
        assert_eq!((again.status, &again.text), (first.status, &first.text));
        assert_eq!(again.header("location"), first.header("location"));
        assert_eq!(again.header("content-type"), first.header("content-type"));
        let length = again.header("content-length");
        assert!(length.is_empty() || length == again.text.len().to_string(), "{length}");
    };
    world.patch("/items/PRJ-1", json!({"version": 1, "title": "second"})).await;
    same().await;
    world.post("/items/PRJ-1/transfer", json!({"version": 2, "project": "WEB"})).await.is(200);
    same().await;
    world.kit.advance(SignedDuration::from_mins(2));
    same().await;
    call(&world.router, Method::DELETE, "/orgs/demo/items/WEB-1", Some(&world.ada.token), None).await.is(204);
    let gone = create().await;
    assert_eq!((gone.status.as_u16(), gone.header("content-type")), (409, "application/problem+json"));
    assert!(gone.text.contains("What it made was deleted since"), "{}", gone.text);
}

//! What is created says where it can be read, and can be read there.

use http::Method;
use serde_json::json;
use svc_testkit::call;

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

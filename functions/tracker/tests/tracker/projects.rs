//! Projects.

use http::Method;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::world::World;

fn keys(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|project| project["key"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn an_owner_creates_a_project_and_is_its_admin() {
    let world = World::new().await;
    let new = json!({"key": "NEW", "name": " New things ", "description": "Why"});
    let created = world.post_as(&world.owner, "/projects", new.clone()).await;
    assert_snapshot!(created.snapshot());
    assert_eq!(world.get_as(&world.owner, "/projects/NEW").await.json, created.json);
    let workflow = world.get_as(&world.owner, "/projects/NEW/workflow").await;
    assert_eq!(workflow.json["states"][0]["name"], "Backlog");

    let again = world.post_as(&world.owner, "/projects", new).await;
    assert_eq!((again.status.as_u16(), again.problem()), (409, "already-exists"));
}

#[tokio::test]
async fn who_administers_nothing_creates_no_project() {
    let world = World::new().await;
    for token in [&world.chief.token, &world.guest.token] {
        let reply = world.post_as(token, "/projects", json!({"key": "NEW", "name": "New"})).await;
        assert_eq!((reply.status.as_u16(), reply.problem()), (403, "forbidden"));
    }
}

#[tokio::test]
async fn everyone_lists_the_projects_that_they_see() {
    let world = World::new().await;
    let old = world.kit.project(&world.org, "OLD").await;
    let (ada, chief) = (&world.ada.token, &world.chief.token);
    let change = json!({"version": 1, "archived": true});
    let path = format!("/projects/{}", old.key);
    assert_eq!(world.change_as(&world.owner, Method::PATCH, &path, change).await.status, 200);
    world.kit.project(&world.org, "OTHER").await;

    assert_eq!(keys(&world.get_as(&world.owner, "/projects").await.json), ["OTHER", "PRJ"]);
    let all = world.get_as(&world.owner, "/projects?archived=true").await;
    assert_eq!(keys(&all.json), ["OLD", "OTHER", "PRJ"]);
    assert_snapshot!(world.get_as(chief, "/projects").await.snapshot());
    assert_eq!(keys(&world.get_as(ada, "/projects?archived=true").await.json), ["PRJ"]);
    assert_eq!(world.get_as(&world.outsider.token, "/projects").await.json, json!([]));
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    assert_eq!(keys(&world.get_as(&agent, "/projects").await.json), ["PRJ"]);
}

#[tokio::test]
async fn a_project_is_changed_by_its_admins_from_the_version_they_read() {
    let world = World::new().await;
    let change = json!({"version": 1, "name": "Renamed", "description": "What for"});
    let refused = world.patch("/projects/PRJ", change.clone()).await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (403, "forbidden"));
    let chief = &world.chief.token;
    let changed = world.change_as(chief, Method::PATCH, "/projects/PRJ", change.clone()).await;
    assert_snapshot!(changed.snapshot());
    let stale = world.change_as(chief, Method::PATCH, "/projects/PRJ", change).await;
    assert_snapshot!(stale.snapshot());
    // The same again, from the right version, is no change.
    let same = json!({"version": 2, "name": "Renamed"});
    assert_eq!(world.change_as(chief, Method::PATCH, "/projects/PRJ", same).await.json["version"], 2);
}

#[tokio::test]
async fn an_archived_project_is_read_only_until_it_is_revived() {
    let world = World::new().await;
    world.item("Before").await;
    let chief = &world.chief.token;
    let patch = |body| world.change_as(chief, Method::PATCH, "/projects/PRJ", body);
    assert_eq!(patch(json!({"version": 1, "archived": true})).await.json["archived"], true);

    assert_eq!(world.get("/items/PRJ-1").await.status, 200);
    let refused = world.post("/projects/PRJ/items", json!({"type": "task", "title": "After"})).await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (409, "project-archived"));
    assert_eq!(patch(json!({"version": 2, "name": "Other"})).await.problem(), "project-archived");
    let workflow = world.get("/projects/PRJ/workflow").await.json;
    let refused = world.change_as(chief, Method::PUT, "/projects/PRJ/workflow", workflow).await;
    assert_eq!(refused.problem(), "project-archived");

    assert_eq!(patch(json!({"version": 2, "archived": false})).await.json["version"], 3);
    world.item("After").await;
}

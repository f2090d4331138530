//! Deleting projects, and restoring them.

use http::Method;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use svc_app::messages::PurgeProject;
use svc_app::tracker::project_purge;
use svc_domain::identity::ProjectRole;
use svc_storage::{Query, Range, keys};
use svc_testkit::{Reply, call};

use crate::world::World;

async fn ask(world: &World, token: &str, method: Method, path: &str) -> Reply {
    call(&world.router, method, &format!("/orgs/demo{path}"), Some(token), None).await
}

async fn delete(world: &World, token: &str) -> Reply {
    ask(world, token, Method::DELETE, "/projects/PRJ?confirm=PRJ").await
}

async fn restore(world: &World, token: &str) -> Reply {
    ask(world, token, Method::POST, "/projects/PRJ/restore").await
}

fn told(reply: &Reply) -> (u16, &str) {
    (reply.status.as_u16(), reply.problem())
}

async fn keys_of(world: &World, path: &str) -> Vec<Value> {
    let listed = world.get(path).await.json;
    let listed = if listed.is_array() { listed } else { listed["items"].clone() };
    listed.as_array().unwrap().iter().map(|one| one["key"].clone()).collect()
}

#[tokio::test]
async fn a_deleted_project_is_out_of_reach_and_comes_back_whole() {
    let world = World::new().await;
    world.item("First").await;
    world.post("/items/PRJ-1/comments", json!({"body": "Hello"})).await;
    let before = world.get("/projects/PRJ").await.json;
    delete(&world, &world.owner).await.is(204);
    assert_eq!(delete(&world, &world.owner).await.status, 204, "a second time changes nothing");

    for path in [
        "/projects/PRJ",
        "/projects/PRJ/items",
        "/projects/PRJ/board",
        "/projects/PRJ/workflow",
        "/projects/PRJ/changes",
        "/projects/PRJ/deleted-items",
        "/projects/PRJ/sprints",
        "/projects/PRJ/labels",
        "/projects/PRJ/views",
        "/items/PRJ-1",
        "/items/PRJ-1/comments",
        "/items/PRJ-1/page",
        "/items/PRJ-99",
    ] {
        let reply = world.get(path).await;
        assert_eq!(told(&reply), (410, "deleted"), "{path}: {}", reply.text);
        let detail = reply.json["detail"].as_str().unwrap();
        assert!(detail.contains("An Owner or Admin of the organization can restore it until"), "{detail}");
        let reply = world.get_as(&world.outsider.token, path).await;
        assert_eq!(told(&reply), (404, "not-found"), "{path}: {}", reply.text);
    }
    for (path, body) in [
        ("/projects/PRJ/items", json!({"type": "task", "title": "Late"})),
        ("/items/PRJ-1/comments", json!({"body": "Late"})),
        ("/items/PRJ-1/claim", json!({"version": 1})),
        ("/projects/PRJ/labels", json!({"name": "late"})),
    ] {
        assert_eq!(told(&world.post(path, body).await), (410, "deleted"), "{path}");
    }
    assert_eq!(keys_of(&world, "/projects?archived=true").await, [] as [Value; 0]);
    assert_eq!(keys_of(&world, "/items").await, [] as [Value; 0]);
    let listed = world.get("/projects?deleted=true").await.json;
    assert_eq!((&listed[0]["key"], &listed[0]["deletion"]["by"]["name"]), (&json!("PRJ"), &json!("owner")));
    let others = world.get_as(&world.outsider.token, "/projects?deleted=true").await.json;
    assert_eq!(others, json!([]));

    let back = restore(&world, &world.owner).await;
    assert_eq!((back.status.as_u16(), &back.json["deletion"]), (200, &Value::Null), "{}", back.text);
    assert_eq!(restore(&world, &world.owner).await.status, 200, "a second time changes nothing");
    let after = world.get("/projects/PRJ").await.json;
    assert_eq!((&after["name"], &after["role"]), (&before["name"], &before["role"]));
    assert!(after["version"].as_u64() > before["version"].as_u64(), "an edit from before is stale");
    assert_eq!(keys_of(&world, "/items").await, ["PRJ-1"]);
    assert_eq!(world.item("Second").await["key"], "PRJ-2");
}

#[tokio::test]
async fn administrators_of_the_organization_delete_projects_and_type_the_key() {
    let world = World::new().await;
    for token in [&world.ada.token, &world.chief.token, &world.outsider.token] {
        assert_eq!(told(&delete(&world, token).await), (403, "forbidden"));
        assert_eq!(told(&restore(&world, token).await), (403, "forbidden"));
    }
    for path in ["/projects/PRJ", "/projects/PRJ?confirm=yes", "/projects/PRJ?confirm=prj"] {
        let reply = ask(&world, &world.owner, Method::DELETE, path).await.is(422);
        assert!(reply.text.contains("give the project's key: PRJ"), "{}", reply.text);
    }
    let reply = ask(&world, &world.owner, Method::DELETE, "/projects/NONE?confirm=NONE").await;
    assert_eq!(told(&reply), (404, "not-found"));
    let archive = json!({"version": 1, "archived": true});
    let path = "/orgs/demo/projects/PRJ";
    call(&world.router, Method::PATCH, path, Some(&world.owner), Some(archive)).await.is(200);
    assert_eq!(delete(&world, &world.owner).await.status, 204, "an archived one too");
    assert_eq!(restore(&world, &world.owner).await.json["archived"], true);
}

#[tokio::test]
async fn live_pages_hear_that_a_project_went_and_came_back() {
    let world = World::new().await;
    world.item("One").await;
    let cursor = world.get("/changes").await.json["cursor"].as_str().unwrap().to_owned();
    let changes = async |token: &str| {
        let told = world.get_as(token, &format!("/changes?after={cursor}")).await.json;
        (told["changed"].clone(), told["items"].clone())
    };
    let project = json!([{"kind": "project", "project": "PRJ"}]);
    world.item("Two").await;
    delete(&world, &world.owner).await;
    assert_eq!(changes(&world.ada.token).await, (project.clone(), json!([])), "no item of it is told");
    assert_eq!(changes(&world.outsider.token).await, (json!([]), json!([])));
    restore(&world, &world.owner).await;
    let (changed, items) = changes(&world.ada.token).await;
    assert_eq!((changed, items[0]["key"].clone()), (project, json!("PRJ-2")));
}

#[tokio::test]
async fn the_key_of_a_deleted_project_is_never_given_again() {
    let world = World::new().await;
    let new = json!({"key": "PRJ", "name": "Another"});
    let at = world.kit.app.now();
    delete(&world, &world.owner).await;
    for _ in 0..2 {
        let refused = world.post_as(&world.owner, "/projects", new.clone()).await;
        assert_eq!(told(&refused), (409, "already-exists"), "{}", refused.text);
        assert!(refused.text.contains("deleted project with this key"), "{}", refused.text);
        world.kit.advance(SignedDuration::from_hours(30 * 24 + 1));
        purge(&world, at).await;
    }
}

async fn purge(world: &World, at: Timestamp) {
    let message = PurgeProject { org: world.org.id, project: "PRJ".parse().unwrap(), at };
    assert!(project_purge::purge(&world.kit.app, &message).await.unwrap());
}

#[tokio::test]
async fn after_thirty_days_nothing_is_left_but_the_key() {
    let world = World::new().await;
    for title in ["One", "Two", "Three"] {
        world.item(title).await;
    }
    world.post("/items/PRJ-1/comments", json!({"body": "Hello"})).await;
    ask(&world, &world.ada.token, Method::PUT, "/items/PRJ-1/watch").await;
    ask(&world, &world.ada.token, Method::DELETE, "/items/PRJ-3").await;
    let at = world.kit.app.now();
    delete(&world, &world.owner).await;
    purge(&world, at).await;
    assert_eq!(keys_of(&world, "/projects?deleted=true").await, ["PRJ"], "not before its time");
    world.kit.advance(SignedDuration::from_hours(30 * 24 + 1));
    assert_eq!(told(&restore(&world, &world.owner).await), (410, "deleted"));
    assert_eq!(keys_of(&world, "/projects?deleted=true").await, [] as [Value; 0]);
    for _ in 0..2 {
        purge(&world, at).await;
    }
    let reply = ask(&world, &world.owner, Method::GET, "/projects/PRJ").await;
    assert!(reply.text.contains("can no longer be restored"), "{}", reply.text);
    let (org, project) = (world.org.id, "PRJ".parse().unwrap());
    let items = (1..=3).map(|number| svc_domain::ids::ItemKey { project: "PRJ".parse().unwrap(), number });
    let of_items = items.map(|item| keys::item_pk(org, &item));
    for pk in [keys::project_pk(org, &project), keys::feed_pk(org, &project)].into_iter().chain(of_items) {
        let rows = world.kit.app.table.query_all(Query::new(pk, Range::All, 100)).await.unwrap();
        assert_eq!(rows, vec![]);
    }
}

#[tokio::test]
async fn an_item_that_left_a_purged_project_keeps_what_its_rows_name() {
    let world = World::new().await;
    let web = world.kit.project(&world.org, "WEB").await;
    world.kit.project_member(&world.org, &web, world.ada.id, ProjectRole::Member).await;
    world.item("Leaves").await;
    world.post("/items/PRJ-1/transfer", json!({"version": 1, "project": "WEB"})).await.is(200);
    world.work().await;
    let at = world.kit.app.now();
    delete(&world, &world.owner).await;
    world.kit.advance(SignedDuration::from_hours(30 * 24 + 1));
    purge(&world, at).await;
    assert_eq!(world.get("/items/WEB-1").await.status, 200);
    let report = svc_app::check::run(&world.kit.app, None).await.unwrap();
    let found: Vec<_> = report.findings.iter().filter(|found| found.kind.starts_with("ITEM")).collect();
    assert!(found.is_empty(), "{found:?}");
}

#[tokio::test]
async fn a_restored_project_is_not_taken_away() {
    let world = World::new().await;
    world.item("One").await;
    let at = world.kit.app.now();
    delete(&world, &world.owner).await;
    restore(&world, &world.owner).await;
    world.kit.advance(SignedDuration::from_hours(1));
    delete(&world, &world.owner).await;
    world.kit.advance(SignedDuration::from_hours(30 * 24));
    purge(&world, at).await;
    assert_eq!(restore(&world, &world.owner).await.status, 410, "its 30 days are over");
    assert_eq!(told(&world.get("/items/PRJ-1").await), (410, "deleted"));
    let item = keys::item(world.org.id, &"PRJ-1".parse().unwrap());
    assert!(world.kit.app.table.get(&item).await.unwrap().is_some(), "the first message takes nothing away");
}

#[tokio::test]
async fn items_of_a_deleted_project_keep_none_of_others_waiting() {
    let world = World::new().await;
    let other = world.kit.project(&world.org, "ABC").await;
    world
        .kit
        .project_member(&world.org, &other, world.ada.id, svc_domain::identity::ProjectRole::Member)
        .await;
    let waits = json!({"type": "task", "title": "Waits"});
    world.post("/projects/ABC/items", waits.clone()).await;
    world.item("Blocks").await;
    world.item("Waits too").await;
    for (path, item) in [("/items/PRJ-1/links", "ABC-1"), ("/items/PRJ-1/links", "PRJ-2")] {
        let linked = world.post(path, json!({"type": "blocks", "item": item})).await;
        assert!(linked.status.is_success(), "{}", linked.text);
    }
    let blocked = async |item: &str| world.get(&format!("/items/{item}")).await.json["blocked"].clone();
    assert_eq!(blocked("ABC-1").await, true);
    delete(&world, &world.owner).await;
    world.work().await;
    assert_eq!(blocked("ABC-1").await, false);
    let links = world.get("/items/ABC-1/links").await;
    assert!(!links.text.contains("Blocks"), "{}", links.text);
    restore(&world, &world.owner).await;
    let before = world.get("/items/PRJ-2").await.json["version"].clone();
    world.work().await;
    assert_eq!((blocked("ABC-1").await, blocked("PRJ-2").await), (json!(true), json!(true)));
    assert_eq!(world.get("/items/PRJ-2").await.json["version"], before, "nothing happened to its own items");
}

//! Deleting items, and bringing them back.

use http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_app::messages::PurgeItem;
use svc_app::tracker::deletion;
use svc_storage::{Query, Range, keys};
use svc_testkit::{Reply, call};

use crate::world::World;

async fn ask(world: &World, token: &str, method: Method, path: &str, body: Option<Value>) -> Reply {
    call(&world.router, method, &format!("/orgs/demo/items/{path}"), Some(token), body).await
}

async fn delete(world: &World, token: &str, key: &str) -> Reply {
    ask(world, token, Method::DELETE, key, None).await
}

async fn restore(world: &World, token: &str, key: &str) -> Reply {
    ask(world, token, Method::POST, &format!("{key}/restore"), None).await
}

async fn listed(world: &World) -> Vec<String> {
    let items = world.get("/projects/PRJ/items?sort=key").await.json;
    items["items"].as_array().unwrap().iter().map(|item| item["key"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_deleted_item_is_nowhere_and_comes_back_whole() {
    let world = World::new().await;
    world.item("First").await;
    let new = json!({"type": "bug", "title": "Second", "body": "Why", "labels": ["ui"]});
    world.post("/projects/PRJ/items", new).await;
    let comment = world.post("/items/PRJ-2/comments", json!({"body": "Hello"})).await.json;
    let before = world.get("/items/PRJ-2").await.json;

    assert_eq!(delete(&world, &world.ada.token, "PRJ-2").await.status, 204);
    assert_eq!(listed(&world).await, ["PRJ-1"]);
    let version = json!({"version": before["version"]});
    for (method, path, body) in [
        (Method::GET, "", None),
        (Method::GET, "/comments", None),
        (Method::GET, "/history", None),
        (Method::GET, "/page", None),
        (Method::GET, "/watchers", None),
        (Method::GET, "/subtasks", None),
        (Method::PATCH, "", Some(json!({"version": before["version"], "title": "New"}))),
        (Method::POST, "/claim", Some(version)),
        (Method::POST, "/comments", Some(json!({"body": "Late"}))),
        (Method::DELETE, "", None),
    ] {
        let reply = ask(&world, &world.ada.token, method.clone(), &format!("PRJ-2{path}"), body).await;
        let told = (reply.status.as_u16(), reply.problem().to_owned());
        assert_eq!(told, (410, "item-deleted".to_owned()), "{method} {path}: {}", reply.text);
    }
    let gone = world.get("/projects/PRJ/deleted-items").await.json;
    assert_eq!((&gone[0]["key"], &gone[0]["title"]), (&json!("PRJ-2"), &json!("Second")));
    let missing = world.get("/items/PRJ-99").await;
    assert_eq!(missing.status, 404, "what was never there is not said to be deleted");

    let back = restore(&world, &world.ada.token, "PRJ-2").await.is(200);
    for field in ["title", "body", "labels", "state", "createdAt", "rank"] {
        assert_eq!(back.json[field], before[field], "{field}");
    }
    assert_eq!(listed(&world).await, ["PRJ-1", "PRJ-2"]);
    let comments = world.get("/items/PRJ-2/comments").await.json;
    assert_eq!(comments["items"][0]["id"], comment["id"]);
    let history = world.history("PRJ-2").await;
    assert!(
        history.ends_with(&["ada deleted - -→-".to_owned(), "ada restored - -→-".to_owned()]),
        "{history:?}"
    );
    let again = restore(&world, &world.ada.token, "PRJ-2").await;
    assert_eq!((again.status.as_u16(), &again.json["version"]), (200, &back.json["version"]), "it is there");
    let third = world.item("Third").await;
    assert_eq!(third["key"], "PRJ-3", "a number is used once");
}

#[tokio::test]
async fn who_made_it_or_administers_the_project_deletes_an_item() {
    let world = World::new().await;
    world.item("Of Ada").await;
    for (token, status) in [(&world.bob.token, 403), (&world.guest.token, 403), (&world.outsider.token, 404)]
    {
        let refused = delete(&world, token, "PRJ-1").await;
        assert_eq!(refused.status, status, "{}", refused.text);
    }
    assert_eq!(delete(&world, &world.chief.token, "PRJ-1").await.status, 204);
    assert_eq!(restore(&world, &world.bob.token, "PRJ-1").await.status, 403);
    assert_eq!(restore(&world, &world.ada.token, "PRJ-1").await.status, 200);
}

#[tokio::test]
async fn what_others_work_on_or_belong_to_is_not_deleted() {
    let world = World::new().await;
    world.item("Claimed").await;
    world.post_as(&world.bob.token, "/items/PRJ-1/claim", json!({"version": 1})).await;
    assert_eq!(delete(&world, &world.ada.token, "PRJ-1").await.problem(), "item-claimed");
    world.post("/projects/PRJ/items", json!({"type": "epic", "title": "Whole"})).await;
    world.post("/projects/PRJ/items", json!({"type": "task", "title": "Part", "parent": "PRJ-2"})).await;
    assert_eq!(delete(&world, &world.ada.token, "PRJ-2").await.problem(), "conflict");
    assert_eq!(delete(&world, &world.ada.token, "PRJ-3").await.status, 204);
    assert_eq!(delete(&world, &world.ada.token, "PRJ-2").await.status, 204);
    let back = restore(&world, &world.ada.token, "PRJ-3").await;
    assert_eq!((back.status.as_u16(), &back.json["parent"]), (200, &Value::Null), "its parent is gone");
}

#[tokio::test]
async fn after_thirty_days_nothing_is_left_but_the_number() {
    let world = World::new().await;
    world.item("Old").await;
    world.post("/items/PRJ-1/comments", json!({"body": "Hello"})).await;
    ask(&world, &world.ada.token, Method::PUT, "PRJ-1/watch", None).await;
    // A moment later, as earlier servers wrote it.
    let at = world.kit.app.now() + SignedDuration::from_micros(600);
    delete(&world, &world.ada.token, "PRJ-1").await;
    let message = PurgeItem { org: world.org.id, item: "PRJ-1".parse().unwrap(), at };
    deletion::purge(&world.kit.app, &message).await.unwrap();
    assert_eq!(world.get("/projects/PRJ/deleted-items").await.json[0]["key"], "PRJ-1", "not before its time");
    world.kit.advance(SignedDuration::from_hours(30 * 24 + 1));
    let late = restore(&world, &world.ada.token, "PRJ-1").await;
    assert_eq!((late.status.as_u16(), late.problem()), (410, "item-deleted"), "{}", late.text);
    for _ in 0..2 {
        deletion::purge(&world.kit.app, &message).await.unwrap();
    }
    assert_eq!(world.get("/projects/PRJ/deleted-items").await.json, json!([]));
    assert_eq!(world.get("/items/PRJ-1").await.problem(), "item-deleted");
    let partition = Query::new(keys::item_pk(world.org.id, &message.item), Range::All, 100);
    assert_eq!(world.kit.app.table.query_all(partition).await.unwrap(), vec![]);
    assert_eq!(world.item("New").await["key"], "PRJ-2");
}

#[tokio::test]
async fn live_pages_and_lists_hear_that_an_item_went_and_came_back() {
    let world = World::new().await;
    world.item("One").await;
    let cursor = async |path: &str| world.get(path).await.json["cursor"].as_str().unwrap().to_owned();
    let (of_project, of_org) = (cursor("/projects/PRJ/changes").await, cursor("/changes").await);
    let told = async |key: &str| {
        let project = world.get(&format!("/projects/PRJ/changes?after={of_project}")).await.json;
        let mut org = world.get(&format!("/changes?after={of_org}")).await.json;
        for item in org["items"].as_array_mut().unwrap() {
            // The changes of a project do not tell it.
            item.as_object_mut().unwrap().remove("subtaskCount");
        }
        assert_eq!(project[key], org[key]);
        project[key].clone()
    };
    world.kit.advance(SignedDuration::from_secs(1));
    delete(&world, &world.ada.token, "PRJ-1").await;
    assert_eq!((told("removed").await, told("items").await), (json!(["PRJ-1"]), json!([])));
    assert_eq!(world.get("/projects/PRJ/board").await.json["items"], json!([]));
    assert_eq!(world.get("/items?filter=type:task").await.json["totalCount"], 0);
    world.kit.advance(SignedDuration::from_secs(1));
    restore(&world, &world.ada.token, "PRJ-1").await;
    assert_eq!(told("removed").await, json!([]));
    assert_eq!(told("items").await[0]["version"], 3);
}

#[tokio::test]
async fn who_cannot_bring_items_back_does_not_see_the_deleted_ones() {
    let world = World::new().await;
    world.item("Secret by mistake").await;
    delete(&world, &world.chief.token, "PRJ-1").await;
    let seen = async |token: &str| {
        let reply = world.get_as(token, "/projects/PRJ/deleted-items").await;
        reply.json.as_array().map(Vec::len)
    };
    assert_eq!((seen(&world.ada.token).await, seen(&world.chief.token).await), (Some(1), Some(1)));
    assert_eq!((seen(&world.bob.token).await, seen(&world.guest.token).await), (Some(0), Some(0)));
    assert_eq!(seen(&world.outsider.token).await, None);
}

#[tokio::test]
async fn a_subtask_comes_back_after_its_parent() {
    let world = World::new().await;
    world.item("Whole").await;
    world.post("/items/PRJ-1/subtasks", json!({"title": "Part", "estimate": 1})).await;
    delete(&world, &world.ada.token, "PRJ-2").await;
    delete(&world, &world.ada.token, "PRJ-1").await;
    let early = restore(&world, &world.ada.token, "PRJ-2").await;
    assert_eq!((early.status.as_u16(), early.problem()), (409, "conflict"), "{}", early.text);
    assert_eq!(restore(&world, &world.ada.token, "PRJ-1").await.status, 200);
    assert_eq!(restore(&world, &world.ada.token, "PRJ-2").await.json["parent"], "PRJ-1");
    world.post("/items/PRJ-1/subtasks", json!({"title": "Late", "estimate": 1})).await.is(201);
}

#[tokio::test]
async fn what_was_read_before_a_deletion_overwrites_nothing_after_the_return() {
    let world = World::new().await;
    world.item("As it was read").await;
    delete(&world, &world.ada.token, "PRJ-1").await;
    let back = restore(&world, &world.ada.token, "PRJ-1").await.json;
    assert_eq!(back["version"], 3, "it counts on");
    let version = back["version"].clone();
    world.patch("/items/PRJ-1", json!({"version": version, "title": "Written since"})).await;
    for old in 1..4 {
        let refused =
            world.patch("/items/PRJ-1", json!({"version": old, "title": "Old", "body": "Old"})).await;
        assert_eq!((refused.status.as_u16(), refused.problem()), (409, "stale-version"), "version {old}");
    }
    assert_eq!(world.get("/items/PRJ-1").await.json["title"], "Written since");
}

//! What hangs on an item: pull requests, subtasks, watchers, and which item may belong to which.

use futures::future::join_all;
use http::Method;
use insta::assert_snapshot;
use serde_json::{Value, json};
use svc_storage::{Commit, Condition, Op, keys};
use svc_testkit::{Reply, call};

use crate::world::World;

const URL: &str = "https://code.example/team/search/pull/7";

async fn change(world: &World, method: Method, path: &str) -> Reply {
    call(&world.router, method, &format!("/orgs/demo{path}"), Some(&world.ada.token), None).await
}

#[tokio::test]
async fn a_pull_request_is_linked_once_and_taken_away_once() {
    let world = World::new().await;
    world.item("Item").await;
    let linked = world.post("/items/PRJ-1/links", json!({"url": format!(" {URL}\n")})).await;
    assert_eq!((&linked.json["links"], &linked.json["version"]), (&json!([{"url": URL}]), &json!(2)));
    let again = world.post("/items/PRJ-1/links", json!({"url": URL})).await;
    assert_eq!(again.json, linked.json, "linking again changes nothing");
    let shouted = world.post("/items/PRJ-1/links", json!({"url": URL.replace("https", "HTTPS")})).await;
    assert_eq!(shouted.json, linked.json, "it is the same address however it is written");
    assert_eq!(world.get("/projects/PRJ/items").await.json["items"][0]["links"], json!([{"url": URL}]));

    let path = format!("/items/PRJ-1/links?url={URL}");
    let unlinked = change(&world, Method::DELETE, &path).await;
    assert_eq!((&unlinked.json["links"], &unlinked.json["version"]), (&json!([]), &json!(3)));
    assert_eq!(change(&world, Method::DELETE, &path).await.json, unlinked.json);
    let history = world.history("PRJ-1").await;
    assert_eq!(
        history[1..],
        [format!("ada linked - -→{URL}"), format!("ada unlinked - {URL}→-")],
        "{history:?}"
    );
}

#[tokio::test]
async fn only_web_addresses_are_linked_and_not_without_end() {
    let world = World::new().await;
    world.item("Item").await;
    let secret = "https://me:secret@code.example/7";
    for url in
        ["", "pull/7", "javascript:alert(1)", "ftp://code.example/7", "https://", "https://a b", secret]
    {
        let refused = world.post("/items/PRJ-1/links", json!({"url": url})).await;
        assert_eq!(refused.status, 422, "{url}");
        assert!(refused.json["errors"]["url"].is_array(), "{url}: {}", refused.text);
    }
    for n in 0..50 {
        world.post("/items/PRJ-1/links", json!({"url": format!("{URL}{n}")})).await.is(200);
    }
    assert_snapshot!(world.post("/items/PRJ-1/links", json!({"url": URL})).await.snapshot());
}

#[tokio::test]
async fn a_subtask_has_an_estimate_and_belongs_to_its_item() {
    let world = World::new().await;
    world.item("Item").await;
    let new = json!({"title": "Write the test", "estimate": 2, "assignee": "@me", "priority": "low"});
    let subtask = world.post("/items/PRJ-1/subtasks", new).await.is(201);
    assert_eq!(
        (&subtask.json["type"], &subtask.json["parent"], &subtask.json["estimate"]),
        (&json!("subtask"), &json!("PRJ-1"), &json!(2.0))
    );
    let task = json!({"type": "task", "title": "Another", "parent": "PRJ-1"});
    world.post("/projects/PRJ/items", task).await;
    world.item("Elsewhere").await;
    let children = world.get("/items/PRJ-1/subtasks?pageSize=1").await.json;
    assert_eq!((&children["totalCount"], &children["items"][0]["key"]), (&json!(2), &json!("PRJ-2")));
    let second = world.get("/items/PRJ-1/subtasks?page=2&pageSize=1").await.json;
    assert_eq!(second["items"][0]["key"], "PRJ-3");

    for body in [json!({"title": "No estimate"}), json!({"title": "", "estimate": 1})] {
        let refused = world.post("/items/PRJ-1/subtasks", body.clone()).await;
        assert_eq!(refused.problem(), "validation-failed", "{body}: {}", refused.text);
    }
    let missing = world.post("/items/PRJ-99/subtasks", json!({"title": "X", "estimate": 1})).await;
    assert_eq!(missing.problem(), "not-found");
}

#[tokio::test]
async fn types_decide_what_belongs_to_what() {
    let world = World::new().await;
    let create = async |kind: &str, parent: Value| {
        let new = json!({"type": kind, "title": kind, "parent": parent});
        world.post("/projects/PRJ/items", new).await
    };
    assert_eq!(create("epic", Value::Null).await.json["key"], "PRJ-1");
    assert_eq!(create("story", json!("PRJ-1")).await.json["key"], "PRJ-2");
    assert_eq!(create("subtask", json!("PRJ-2")).await.json["key"], "PRJ-3");
    for (kind, parent) in [
        ("epic", json!("PRJ-1")),
        ("subtask", Value::Null),
        ("task", json!("PRJ-3")),
        ("subtask", json!("PRJ-3")),
    ] {
        let refused = create(kind, parent.clone()).await;
        assert_eq!(refused.status, 422, "a {kind} under {parent}");
        assert!(refused.json["errors"]["parent"].is_array(), "{}", refused.text);
    }
    for (key, edit, field) in [
        ("PRJ-2", json!({"version": 1, "type": "epic"}), "parent"),
        ("PRJ-2", json!({"version": 1, "type": "subtask"}), "type"),
        ("PRJ-3", json!({"version": 1, "parent": null}), "parent"),
        ("PRJ-2", json!({"version": 1, "parent": "PRJ-3"}), "parent"),
    ] {
        let refused = world.patch(&format!("/items/{key}"), edit.clone()).await;
        assert!(refused.json["errors"][field].is_array(), "{key} {edit}: {}", refused.text);
    }
    let freed = json!({"version": 1, "type": "task", "parent": null});
    assert_eq!(world.patch("/items/PRJ-3", freed).await.status, 200, "a subtask becomes a task");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn parents_set_at_once_all_around_a_ring_never_close_it() {
    let world = World::new().await;
    for round in 0..4 {
        let mut keys = Vec::new();
        for n in 0..6 {
            keys.push(world.item(&format!("{round} {n}")).await["key"].as_str().unwrap().to_owned());
        }
        let edits = keys.iter().enumerate().map(|(n, key)| {
            let router = if n % 2 == 0 { &world.router } else { &world.elsewhere }.clone();
            let (token, path) = (world.ada.token.clone(), format!("/orgs/demo/items/{key}"));
            let body = json!({"version": 1, "parent": keys[(n + 1) % keys.len()]});
            tokio::spawn(async move { call(&router, Method::PATCH, &path, Some(&token), Some(body)).await })
        });
        let replies: Vec<Reply> = join_all(edits).await.into_iter().map(Result::unwrap).collect();
        for reply in &replies {
            assert!([200, 409, 422].contains(&reply.status.as_u16()), "{}", reply.text);
        }
        for key in &keys {
            let (mut above, mut steps) = (json!(key), 0);
            while let Some(next) = above.as_str() {
                above = world.get(&format!("/items/{next}")).await.json["parent"].clone();
                steps += 1;
                assert!(steps <= keys.len(), "round {round}: a circle through {key}");
            }
        }
    }
}

#[tokio::test]
async fn people_watch_items_and_stop_watching() {
    let world = World::new().await;
    world.item("Item").await;
    let as_person = async |token: &str, method: Method| {
        let path = "/orgs/demo/items/PRJ-1/watch";
        call(&world.router, method, path, Some(token), None).await.status.as_u16()
    };
    let names = async || {
        let watchers = world.get("/items/PRJ-1/watchers").await.json;
        watchers
            .as_array()
            .unwrap()
            .iter()
            .map(|w| w["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(as_person(&world.guest.token, Method::PUT).await, 204);
    assert_eq!(as_person(&world.ada.token, Method::PUT).await, 204);
    assert_eq!(as_person(&world.ada.token, Method::PUT).await, 204);
    assert_eq!(names().await, ["ada", "guest"]);
    assert_eq!(as_person(&world.ada.token, Method::DELETE).await, 204);
    assert_eq!(as_person(&world.ada.token, Method::DELETE).await, 204);
    assert_eq!(names().await, ["guest"]);
    assert_eq!(world.get("/items/PRJ-1").await.json["version"], 1, "watching is no change of the item");
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    assert_eq!(as_person(&agent, Method::PUT).await, 403);
}

#[tokio::test]
async fn who_was_taken_out_of_the_project_watches_nothing_in_it() {
    let world = World::new().await;
    world.item("Item").await;
    for person in [&world.ada, &world.bob] {
        let path = "/orgs/demo/items/PRJ-1/watch";
        assert_eq!(call(&world.router, Method::PUT, path, Some(&person.token), None).await.status, 204);
    }
    let gone = keys::project_member(world.org.id, &world.project.key, world.bob.id);
    let ops = vec![Op::delete(gone, Condition::None)];
    world.kit.app.table.commit(&Commit { ops, token: None }).await.unwrap();
    let watchers = world.get("/items/PRJ-1/watchers").await.json;
    assert_eq!(watchers.as_array().unwrap().len(), 1);
    assert_eq!(watchers[0]["name"], "ada");
}

#[tokio::test]
async fn a_new_name_is_everywhere() {
    let world = World::new().await;
    let new = json!({"type": "task", "title": "Item", "assignee": "@me"});
    world.post("/projects/PRJ/items", new).await;
    world.post("/items/PRJ-1/claim", json!({"version": 1})).await;
    world.post("/items/PRJ-1/comments", json!({"body": "Hello @ada"})).await;
    let watch =
        call(&world.router, Method::PUT, "/orgs/demo/items/PRJ-1/watch", Some(&world.ada.token), None);
    assert_eq!(watch.await.status, 204);
    let row = world.kit.app.table.get(&keys::user(world.ada.id)).await.unwrap().unwrap();
    let mut user: Value = row.read().unwrap();
    user["displayName"] = "Countess".into();
    let ops = vec![Op::replace(row.key, row.version, &user)];
    world.kit.app.table.commit(&Commit { ops, token: None }).await.unwrap();
    svc_app::identity::spread(&world.kit.app, world.ada.id).await.unwrap();
    let item = world.get("/items/PRJ-1").await.json;
    let named = [&item["assignee"]["name"], &item["createdBy"]["name"], &item["claim"]["holderName"]];
    assert_eq!(named, ["Countess"; 3], "{item}");
    assert_eq!(item["version"], 2, "nobody's edit becomes stale by it");
    let listed = world.get("/projects/PRJ/items").await.json;
    assert_eq!(listed["items"][0]["assignee"]["name"], "Countess");
    for (path, part) in [
        ("comments", "/items/0/author/name"),
        ("comments", "/items/0/mentions/0/name"),
        ("history", "/items/0/actor/name"),
        ("watchers", "/0/name"),
    ] {
        let seen = world.get(&format!("/items/PRJ-1/{path}")).await.json;
        assert_eq!(seen.pointer(part), Some(&json!("Countess")), "{path}{part}: {seen}");
    }
}

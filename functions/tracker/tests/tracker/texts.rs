//! What changed of descriptions and comments, and who reads it.

use http::Method;
use serde_json::{Value, json};
use svc_storage::{Query, Range, keys};
use svc_testkit::call;

use crate::world::World;

async fn describe(world: &World, body: &str) -> Value {
    let version = world.get("/items/PRJ-1").await.json["version"].clone();
    world.patch("/items/PRJ-1", json!({"version": version, "body": body})).await.is(200);
    world.get("/items/PRJ-1/history").await.json["items"][0].clone()
}

fn diff_of(entry: &Value) -> String {
    format!("/items/PRJ-1/history/{}/diff", entry["id"].as_str().unwrap())
}

async fn rows(world: &World, prefix: &str) -> usize {
    let pk = keys::item_pk(world.org.id, &"PRJ-1".parse().unwrap());
    let query = Query::new(pk, Range::Prefix(prefix.to_owned()), 100);
    world.kit.app.table.query(&query).await.unwrap().rows.len()
}

#[tokio::test]
async fn an_entry_has_an_id_by_which_its_difference_is_read() {
    let world = World::new().await;
    world.item("Item").await;
    let first = describe(&world, "one\ntwo\nthree\nfour\nfive\nsix\n").await;
    let second = describe(&world, "one\ntwo\nthree\nfour\nFIVE\nsix\n").await;
    assert_eq!((&second["field"], &second["hasDiff"]), (&json!("body"), &json!(true)));
    let read = world.get(&diff_of(&second)).await;
    assert_eq!(
        read.json["unified"], "@@ -2,5 +2,5 @@\n two\n three\n four\n-five\n+FIVE\n six\n",
        "{}",
        read.text
    );
    assert_eq!((&read.json["hunks"][0]["oldStart"], read.json.get("truncated")), (&json!(2), None));
    let added = world.get(&diff_of(&first)).await.json;
    assert_eq!(added["hunks"][0]["lines"].as_array().unwrap().len(), 6, "{added}");
    let again = world.get("/items/PRJ-1/history").await.json;
    assert_eq!(again["items"][1], first, "an entry keeps its id");
    let created = &again["items"][2];
    assert_eq!((created.get("hasDiff"), created["id"].as_str().is_some()), (None, true));
    for path in [diff_of(created), "/items/PRJ-1/history/nonsense/diff".to_owned()] {
        assert_eq!(world.get(&path).await.problem(), "not-found", "{path}");
    }
    assert_eq!(world.get_as(&world.guest.token, &diff_of(&second)).await.status, 200);
    assert_eq!(world.get_as(&world.outsider.token, &diff_of(&second)).await.problem(), "not-found");
}

#[tokio::test]
async fn a_tick_in_a_long_description_keeps_little_and_a_long_change_all() {
    let world = World::new().await;
    world.item("Item").await;
    let long: String = (0..4_000).map(|n| format!("- [ ] task number {n}\n")).collect();
    describe(&world, &long).await;
    let ticked = describe(&world, &long.replacen("[ ]", "[x]", 1)).await;
    let kept = world.get(&diff_of(&ticked)).await;
    assert!(kept.text.len() < 2_000, "{}", kept.text.len());
    let other: String = (0..4_000).map(|n| format!("* [ ] other number {n}\n")).collect();
    let whole = world.get(&diff_of(&describe(&world, &other).await)).await;
    assert_eq!((whole.status.as_u16(), whole.json.get("truncated")), (200, None));
    let removed =
        whole.json["unified"].as_str().unwrap().lines().filter(|line| line.starts_with('-')).count();
    assert_eq!(removed, 4_000);
}

#[tokio::test]
async fn the_texts_follow_an_item_and_go_with_it() {
    let world = World::new().await;
    world.kit.project(&world.org, "WEB").await;
    let created = world.item("Item").await;
    let entry = describe(&world, "text").await;
    let version = created["version"].as_u64().unwrap() + 1;
    world
        .post_as(&world.owner, "/items/PRJ-1/transfer", json!({"version": version, "project": "WEB"}))
        .await
        .is(200);
    let there = format!("/items/WEB-1/history/{}/diff", entry["id"].as_str().unwrap());
    assert_eq!(world.get_as(&world.owner, &there).await.status, 200);
    assert_eq!((rows(&world, "TEXT#").await, rows(&world, "HISTORY#").await), (0, 0));
}

#[tokio::test]
async fn edits_of_a_comment_are_read_until_it_is_deleted() {
    let world = World::new().await;
    world.item("Item").await;
    let comment = world.post("/items/PRJ-1/comments", json!({"body": "My password is x"})).await.json;
    let address = format!("/items/PRJ-1/comments/{}", comment["id"].as_str().unwrap());
    world.kit.advance(jiff::SignedDuration::from_mins(1));
    for (version, body) in [(1, "My word is x"), (2, "My word is y")] {
        world.patch(&address, json!({"version": version, "body": body})).await.is(200);
    }
    let edits = world.get_as(&world.guest.token, &format!("{address}/edits?pageSize=1")).await.json;
    assert_eq!(edits["totalCount"], 2, "{edits}");
    assert_eq!(edits["items"][0]["version"], 3, "{edits}");
    assert_eq!(edits["items"][0]["actor"]["name"], "ada", "{edits}");
    let diff = world.get(&format!("{address}/edits/2/diff")).await.json;
    assert!(diff["unified"].as_str().unwrap().contains("-My password is x\n"), "{diff}");
    assert_eq!(world.get(&format!("{address}/edits/1/diff")).await.problem(), "not-found");
    let path = format!("/orgs/demo{address}");
    call(&world.router, Method::DELETE, &path, Some(&world.chief.token), None).await.is(204);
    for path in [format!("{address}/edits"), format!("{address}/edits/2/diff")] {
        assert_eq!(world.get(&path).await.problem(), "not-found", "{path}");
    }
    let (item, id) = ("PRJ-1".parse().unwrap(), comment["id"].as_str().unwrap().parse().unwrap());
    svc_app::tracker::comments::clear(&world.kit.app, world.org.id, &item, id).await.unwrap();
    assert_eq!((rows(&world, "EDIT#").await, rows(&world, "EDITTEXT#").await), (0, 0));
}

//! Moving items into sprints and to places in the order given by hand.

use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::world::World;

async fn after(world: &World, key: &str, other: impl Into<Value>) {
    let version = world.get(&format!("/items/{key}")).await.json["version"].clone();
    world
        .post(&format!("/items/{key}/move"), json!({"version": version, "after": other.into()}))
        .await
        .is(200);
}

#[tokio::test]
async fn items_are_put_in_order_by_hand() {
    let world = World::new().await;
    for title in ["One", "Two", "Three", "Four"] {
        world.item(title).await;
    }
    assert_eq!(world.keys("").await, ["PRJ-1", "PRJ-2", "PRJ-3", "PRJ-4"], "as they were made");
    after(&world, "PRJ-4", json!(null)).await;
    after(&world, "PRJ-1", "PRJ-2").await;
    assert_eq!(world.keys("").await, ["PRJ-4", "PRJ-2", "PRJ-1", "PRJ-3"]);
    after(&world, "PRJ-4", "PRJ-3").await;
    assert_eq!(world.keys("").await, ["PRJ-2", "PRJ-1", "PRJ-3", "PRJ-4"]);
    world.item("Five").await;
    assert_eq!(world.keys("").await, ["PRJ-2", "PRJ-1", "PRJ-3", "PRJ-4", "PRJ-5"]);
    assert_eq!(world.history("PRJ-1").await.last().unwrap(), "ada changed rank -→after PRJ-2");
    let version = world.get("/items/PRJ-1").await.json["version"].clone();
    after(&world, "PRJ-1", "PRJ-2").await;
    let still = world.get("/items/PRJ-1").await.json["version"].clone();
    assert_eq!(still, version, "it was there already");
    let reversed = world.get("/projects/PRJ/items?sort=-rank&pageSize=1").await.json;
    assert_eq!(reversed["items"][0]["key"], "PRJ-5");
}

#[tokio::test]
async fn a_place_has_room_however_often_items_are_moved_to_it() {
    let world = World::new().await;
    for number in 1..=22 {
        world.item(&format!("Item {number}")).await;
    }
    let (mut low, mut high) = ("PRJ-1".to_owned(), "PRJ-2".to_owned());
    for step in 0..400 {
        let moved = format!("PRJ-{}", 3 + step % 20);
        after(&world, &moved, low.as_str()).await;
        if step % 2 == 0 { low = moved } else { high = moved }
    }
    let keys = world.keys("").await;
    let at = keys.iter().position(|key| *key == low).unwrap();
    assert_eq!(keys[at + 1], high, "{keys:?}");
    assert_eq!((keys[0].as_str(), keys.last().unwrap().as_str()), ("PRJ-1", "PRJ-2"));
    let still = world.get("/items/PRJ-2").await.json;
    assert_eq!((&still["version"], &still["updatedAt"]), (&json!(1), &still["createdAt"]), "nobody moved it");
}

#[tokio::test]
async fn a_move_names_a_sprint_and_an_item_in_it() {
    let world = World::with_team().await;
    for title in ["One", "Two", "Three"] {
        world.item(title).await;
    }
    let sprint = world.plan("web", "Sprint").await;
    world.put_in("PRJ-3", sprint.as_str()).await;
    let both = json!({"version": 1, "sprint": sprint, "after": "PRJ-3"});
    let moved = world.post("/items/PRJ-1/move", both.clone()).await;
    assert_eq!(
        (&moved.json["sprint"], &moved.json["version"]),
        (&json!(sprint), &json!(2)),
        "{}",
        moved.text
    );
    assert_eq!(world.keys(&format!("sprint:{sprint}")).await, ["PRJ-3", "PRJ-1"]);
    assert_eq!(
        world.history("PRJ-1").await[1..],
        ["ada changed sprint -→Sprint", "ada changed rank -→after PRJ-3"]
    );
    let stale = world.post("/items/PRJ-1/move", both).await;
    assert_eq!((stale.problem(), &stale.json["currentVersion"]), ("stale-version", &json!(2)));

    let errors = async |key: &str, body: Value| {
        let refused = world.post(&format!("/items/{key}/move"), body).await.is(422);
        refused.json["errors"].to_string()
    };
    let to = |after: &str| json!({"version": 1, "sprint": sprint, "after": after});
    assert!(errors("PRJ-2", to("PRJ-99")).await.contains("no item PRJ-99"));
    assert!(errors("PRJ-2", to("OTH-1")).await.contains("of this project"));
    assert!(errors("PRJ-2", to("PRJ-2")).await.contains("itself"));
    let body = json!({"version": 1, "sprint": null, "after": "PRJ-3"});
    assert!(errors("PRJ-2", body).await.contains("not in the backlog"));
    let body = json!({"version": 1, "sprint": "current"});
    assert!(errors("PRJ-2", body).await.contains("id of a sprint"));
    let body = json!({"version": 1, "sprint": "00000000-0000-7000-8000-000000000000"});
    assert!(errors("PRJ-2", body).await.contains("no such sprint"));

    world.put_in("PRJ-1", json!(null)).await;
    assert_eq!(world.history("PRJ-1").await.last().unwrap(), "ada changed sprint Sprint→-");
    let nothing = world.post("/items/PRJ-1/move", json!({"version": 3})).await;
    assert_eq!((nothing.status.as_u16(), &nothing.json["version"]), (200, &json!(3)));
    let guest = world.post_as(&world.guest.token, "/items/PRJ-1/move", json!({"version": 3})).await;
    assert_eq!(guest.problem(), "forbidden");
}

#[tokio::test]
async fn subtasks_go_with_their_item_however_many() {
    let world = World::with_team().await;
    world.item("Story").await;
    let sprint = world.plan("web", "Sprint").await;
    let subtask = async |n: u32| {
        let body = json!({"type": "subtask", "title": format!("Part {n}"), "parent": "PRJ-1", "estimate": 1});
        world.post("/projects/PRJ/items", body).await.is(201).json
    };
    for n in 0..20 {
        subtask(n).await;
    }
    world.put_in("PRJ-1", sprint.as_str()).await;
    assert_eq!(world.keys(&format!("sprint:{sprint}")).await.len(), 21);
    let born_there = subtask(20).await;
    assert_eq!(born_there["sprint"], json!(sprint), "a new subtask is where its item is");
    world.put_in("PRJ-2", json!(null)).await;
    let other = world.plan("web", "Other").await;
    world.put_in("PRJ-1", other.as_str()).await;
    assert_eq!(world.keys(&format!("sprint:{other}")).await.len(), 21);
    assert_eq!(world.keys("sprint:none").await, ["PRJ-2"], "one that was elsewhere stays there");
}

/// The message that sees to subtasks that were left behind comes a minute later.
#[tokio::test]
async fn a_subtask_that_is_put_back_stays_where_it_was_put() {
    let world = World::with_team().await;
    world.item("Story").await;
    let sprint = world.plan("web", "Sprint").await;
    for n in 0..20 {
        let body = json!({"type": "subtask", "title": format!("Part {n}"), "parent": "PRJ-1", "estimate": 1});
        assert_eq!(world.post("/projects/PRJ/items", body).await.status, 201);
    }
    world.put_in("PRJ-1", sprint.as_str()).await;
    world.kit.advance(SignedDuration::from_secs(1));
    world.put_in("PRJ-20", json!(null)).await;
    world.kit.advance(SignedDuration::from_secs(90));
    let app = &world.kit.app;
    let messages = app.queue.receive(10, std::time::Duration::ZERO).await.unwrap();
    assert!(messages.iter().any(|message| message.body.contains("followItem")), "{messages:?}");
    for message in messages {
        svc_workers::handle(app, &serde_json::from_str(&message.body).unwrap()).await.unwrap();
    }
    assert_eq!(world.keys("sprint:none").await, ["PRJ-20"]);
}

//! An inbox: one entry for each subject, which is unread, read, done, and opened again by news.

use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn ten_comments_are_one_entry_which_says_so() {
    let world = World::new().await;
    let item = world.item(&world.ada, "Greet people").await;
    assert_eq!(world.inbox(&world.ada).await, [""; 0], "nobody is told of what they did");
    for n in 0..10 {
        world.comment(&world.ben, &item, &format!("comment {n}"), None).await;
    }
    let entries = world.entries(&world.ada, "").await;
    assert_eq!(entries.len(), 1, "{entries:?}");
    let entry = &entries[0];
    assert_eq!((&entry["summary"], &entry["unreadCount"]), (&json!("10 new comments"), &json!(10)));
    assert_eq!(
        (&entry["kind"], &entry["itemKey"], &entry["title"], &entry["organization"]),
        (&json!("commented"), &json!(item), &json!("Greet people"), &json!("demo"))
    );
    assert_eq!(entry["organizationId"], json!(world.org.id));
    assert_eq!(entry["news"].as_array().unwrap().len(), 10);
    assert_eq!(world.counts(&world.ada).await, json!({"unread": 1, "needsYou": 0}));
    assert_eq!(world.counts(&world.ben).await, json!({"unread": 0, "needsYou": 0}));
    world.consistent().await;
}

#[tokio::test]
async fn an_entry_is_read_then_done_until_there_is_news() {
    let world = World::new().await;
    let item = world.item(&world.ada, "Greet people").await;
    world.comment(&world.ben, &item, "one", None).await;
    let entry = world.entries(&world.ada, "").await.remove(0);
    let read = world.mark(&world.ada, &entry, json!({"read": true})).await;
    assert_eq!((read.status, &read.json["read"]), (StatusCode::OK, &json!(true)), "{}", read.text);
    assert_eq!(read.json, world.entries(&world.ada, "").await[0], "it answers the entry as it is");
    assert_eq!(world.entries(&world.ada, "?unread=true").await.len(), 0);
    assert_eq!(world.counts(&world.ada).await["unread"], 0);
    let unread = world.mark(&world.ada, &read.json, json!({"read": false})).await.json;
    assert_eq!(
        (&unread["read"], world.counts(&world.ada).await["unread"].clone()),
        (&json!(false), json!(1))
    );

    let done = world.mark(&world.ada, &unread, json!({"done": true})).await.json;
    assert_eq!((&done["done"], &done["read"]), (&json!(true), &json!(true)));
    assert_eq!(world.inbox(&world.ada).await, [""; 0]);
    assert_eq!(world.entries(&world.ada, "?done=true").await, std::slice::from_ref(&done));
    world.comment(&world.ben, &item, "two", None).await;
    assert_eq!(world.inbox(&world.ada).await, [format!("{item}: ben commented")], "news open it again");
    let stale = world.mark(&world.ada, &done, json!({"done": true})).await;
    assert_eq!(stale.status, StatusCode::CONFLICT, "what came since is not marked with it: {}", stale.text);
    assert_eq!(world.mark(&world.ben, &done, json!({"done": true})).await.status, StatusCode::NOT_FOUND);
    world.consistent().await;
}

#[tokio::test]
async fn everything_is_marked_at_once() {
    let world = World::new().await;
    for title in ["One", "Two"] {
        let item = world.item(&world.ada, title).await;
        world.comment(&world.ben, &item, "hello", None).await;
    }
    assert_eq!(world.counts(&world.ada).await["unread"], 2);
    for (path, left) in [("read", 2), ("done", 0)] {
        let reply = world.call(&world.ada, Method::POST, &format!("/me/notifications/{path}"), None).await;
        assert_eq!(reply.status, StatusCode::NO_CONTENT, "{}", reply.text);
        assert_eq!(world.counts(&world.ada).await["unread"], 0);
        assert_eq!(world.inbox(&world.ada).await.len(), left);
    }
}

#[tokio::test]
async fn the_newest_comes_first_and_as_many_as_are_asked_for() {
    let world = World::new().await;
    let mut items = Vec::new();
    for title in ["One", "Two", "Three"] {
        items.push(world.item(&world.ada, title).await);
    }
    for item in &items {
        world.kit.clock.advance(SignedDuration::from_secs(1));
        world.comment(&world.ben, item, "hello", None).await;
    }
    let keys = |entries: Vec<serde_json::Value>| -> Vec<String> {
        entries.iter().map(|entry| entry["itemKey"].as_str().unwrap().to_owned()).collect()
    };
    items.reverse();
    assert_eq!(keys(world.entries(&world.ada, "").await), items);
    assert_eq!(keys(world.entries(&world.ada, "?limit=2").await), items[..2]);
    assert_eq!(keys(world.entries(&world.ada, "?limit=0").await), items[..1]);
}

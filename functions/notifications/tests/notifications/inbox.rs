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

/// The list ended at 200 entries.
#[tokio::test]
async fn a_long_inbox_is_read_page_by_page() {
    let world = World::new().await;
    let mut items = Vec::new();
    for n in 0..5 {
        let item = world.item(&world.ada, &format!("Item {n}")).await;
        // Two of them at the same time.
        world.kit.clock.advance(SignedDuration::from_secs(n % 2));
        world.comment(&world.ben, &item, "hello", None).await;
        items.push(item);
    }
    let (mut seen, mut query) = (Vec::new(), "?limit=2".to_owned());
    loop {
        let entries = world.entries(&world.ada, &query).await;
        let Some(last) = entries.last() else { break };
        query = format!(
            "?limit=2&after={}&afterId={}",
            last["at"].as_str().unwrap(),
            last["id"].as_str().unwrap()
        );
        seen.extend(entries.iter().map(|entry| entry["itemKey"].as_str().unwrap().to_owned()));
        assert!(seen.len() <= items.len(), "{seen:?}");
    }
    seen.sort();
    assert_eq!(seen, items, "each once");
    for half in ["?after=2026-01-01T00:00:00Z", "?afterId=x", "?after=2026-01-01T00:00:00Z&afterId=x"] {
        let reply = world.call(&world.ada, Method::GET, &format!("/me/notifications{half}"), None).await;
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", reply.text);
    }
}

/// It was accepted, and one of the two was silently without effect.
#[tokio::test]
async fn what_is_done_cannot_be_marked_unread_at_once() {
    let world = World::new().await;
    let item = world.item(&world.ada, "Greet people").await;
    world.comment(&world.ben, &item, "one", None).await;
    let entry = world.entries(&world.ada, "").await.remove(0);
    let refused = world.mark(&world.ada, &entry, json!({"read": false, "done": true})).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
    assert!(refused.json["errors"]["read"].is_array(), "{}", refused.text);
    assert_eq!(world.entries(&world.ada, "").await, [entry]);
}

/// The entry of a comment that was deleted stayed unread.
#[tokio::test]
async fn news_of_a_deleted_comment_go_with_it() {
    let world = World::new().await;
    let item = world.item(&world.ada, "Greet people").await;
    let first = world.comment(&world.ben, &item, "one", None).await;
    let second = world.comment(&world.ben, &item, "two", None).await;
    let delete = async |comment: &str| {
        let path = format!("/orgs/demo/items/{item}/comments/{comment}");
        let reply = world.call(&world.ben, Method::DELETE, &path, None).await;
        assert!(reply.status.is_success(), "{}", reply.text);
        world.work().await;
    };
    delete(&first).await;
    let left = world.entries(&world.ada, "").await;
    assert_eq!((&left[0]["unreadCount"], &left[0]["summary"]), (&json!(1), &json!("ben commented")));
    delete(&second).await;
    assert_eq!(world.inbox(&world.ada).await, [""; 0]);
    assert_eq!(world.counts(&world.ada).await, json!({"unread": 0, "needsYou": 0}));
    world.consistent().await;
}

/// An item that went to another project had an entry under each of its keys.
#[tokio::test]
async fn an_item_keeps_its_entry_wherever_it_moves() {
    let world = World::new().await;
    for key in ["OTH", "END"] {
        let other = world.kit.project(&world.org, key).await;
        for who in [&world.ada, &world.ben] {
            world
                .kit
                .project_member(&world.org, &other, who.id, svc_domain::identity::ProjectRole::Admin)
                .await;
        }
    }
    let mut item = world.item(&world.ada, "Greet people").await;
    world.comment(&world.ben, &item, "one", None).await;
    for project in ["OTH", "END"] {
        let now = world.call(&world.ada, Method::GET, &format!("/orgs/demo/items/{item}"), None).await.json;
        let to = json!({"project": project, "version": now["version"]});
        let moved = world.act(&world.ada, Method::POST, &format!("/items/{item}/transfer"), to).await;
        item = moved["key"].as_str().unwrap().to_owned();
        world.comment(&world.ben, &item, "more", None).await;
    }
    assert_eq!(world.inbox(&world.ada).await, [format!("{item}: 3 new comments")]);
    world.consistent().await;
}

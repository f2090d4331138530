//! How many comments and attachments items have, as lists tell it.

use futures::future::join_all;
use http::Method;
use serde_json::{Value, json};
use svc_domain::feed::FeedEntry;
use svc_domain::item::Item;
use svc_storage::{Commit, Condition, Op, keys};
use svc_testkit::call;

use crate::world::World;

/// The counts of comments and attachments of the only item, as the list of its project tells them.
async fn counted(world: &World) -> (Value, Value) {
    let list = world.get("/projects/PRJ/items").await.json;
    let item = &list["items"][0];
    (item["commentCount"].clone(), item["attachmentCount"].clone())
}

#[tokio::test]
async fn lists_tell_how_many_comments_and_attachments_there_are() {
    let world = World::new().await;
    world.item("Discussed").await;
    assert_eq!(counted(&world).await, (json!(0), json!(0)));
    let version = world.get("/items/PRJ-1").await.json["version"].clone();
    let said = (0..12).map(|n| {
        let (router, token) = (world.router.clone(), world.ada.token.clone());
        let router = if n % 2 == 0 { router } else { world.elsewhere.clone() };
        let body = json!({"body": format!("Comment {n}")});
        let path = "/orgs/demo/items/PRJ-1/comments";
        tokio::spawn(async move { call(&router, Method::POST, path, Some(&token), Some(body)).await })
    });
    let said = join_all(said.collect::<Vec<_>>()).await;
    let said: Vec<_> = said.into_iter().map(Result::unwrap).collect();
    assert!(
        said.iter().all(|reply| reply.status == 201),
        "{:?}",
        said.iter().map(|r| &r.text).collect::<Vec<_>>()
    );
    assert_eq!(counted(&world).await, (json!(12), json!(0)), "none is lost of those of one moment");
    assert_eq!(
        world.get("/items/PRJ-1").await.json["version"],
        version,
        "nobody's edit becomes stale by them"
    );
    let first = format!("/items/PRJ-1/comments/{}", said[0].json["id"].as_str().unwrap());
    for _ in 0..2 {
        assert_eq!(world.change_as(&world.ada.token, Method::DELETE, &first, Value::Null).await.status, 204);
    }
    assert_eq!(counted(&world).await.0, 11);
    let seen = world.get_as(&world.guest.token, "/items/PRJ-1/comments").await.json;
    assert_eq!(seen["totalCount"], 11, "as many as everybody sees");
    assert_eq!(world.get("/items/PRJ-1").await.json["commentCount"], 11);
}

/// As rows of earlier servers are, which counted nothing.
#[tokio::test]
async fn what_was_said_before_there_were_counts_is_counted_with_the_next_comment() {
    let world = World::new().await;
    world.item("Old").await;
    for body in ["One", "Two"] {
        world.post("/items/PRJ-1/comments", json!({"body": body})).await;
    }
    let (table, key) = (&world.kit.app.table, keys::item(world.org.id, &"PRJ-1".parse().unwrap()));
    let row = table.get(&key).await.unwrap().unwrap();
    let item = Item { counts: None, ..row.read().unwrap() };
    let mut ops = vec![Op::replace(key, row.version, &item)];
    let feed = keys::feed(world.org.id, &item.key.project, &item.feed_sk);
    let entry = FeedEntry::of(&item, item.revision);
    ops.push(Op::put(feed, Condition::None, &entry));
    table.commit(&Commit { ops, token: None }).await.unwrap();
    assert_eq!(world.get("/items/PRJ-1").await.json.get("commentCount"), None);
    world.post("/items/PRJ-1/comments", json!({"body": "Three"})).await;
    assert_eq!(counted(&world).await, (json!(3), json!(0)));
    let report = svc_app::check::run(&world.kit.app, None).await.unwrap();
    assert!(report.findings.iter().all(|found| !found.kind.starts_with("ITEM")), "{report:?}");
}

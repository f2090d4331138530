//! A storm: much happens to one person's items at once. They get one digest, and what is kept and read stays bounded.

use std::collections::BTreeSet;

use http::Method;
use jiff::Timestamp;
use serde_json::json;
use svc_domain::ids::{NotificationId, OrgId};
use svc_domain::notification::delivery::Pending;
use svc_domain::notification::{Entry, MAX_NEWS, News, NotificationKind, Subject};
use svc_storage::{Op, Query, Range, keys};
use svc_testkit::TestApp;
use uuid::Uuid;

use crate::delivery::Told;
use crate::world::World;

fn news(n: u128) -> News {
    let at = Timestamp::UNIX_EPOCH + jiff::SignedDuration::from_millis(i64::try_from(n).unwrap());
    News::by_itself(Uuid::from_u128(n), NotificationKind::Commented, at, String::new())
}

#[test]
fn ten_thousand_news_of_one_thing_take_the_room_of_fifty() {
    let entry = Entry::new(OrgId(Uuid::nil()), Subject::Item { key: "PRJ-1".parse().unwrap(), first: None });
    let mut pending = Pending::new(entry, Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH);
    for n in 0..10_000 {
        assert!(pending.add(news(n), Timestamp::UNIX_EPOCH));
    }
    assert_eq!((pending.entry.news.len(), pending.entry.told), (MAX_NEWS, 10_000));
    assert!(serde_json::to_vec(&pending).unwrap().len() < 16_000);
}

#[tokio::test]
async fn a_storm_is_one_digest_which_says_how_much_more_there_is() {
    let told = Told::new().await;
    let world = &told.world;
    for n in 0..130 {
        let new = json!({"type": "task", "title": format!("Item {n}")});
        let made =
            world.call(&world.ada, Method::POST, "/orgs/demo/projects/PRJ/items", Some(new)).await.json;
        let comments = format!("/orgs/demo/items/{}/comments", made["key"].as_str().unwrap());
        for _ in 0..2 {
            world.call(&world.ben, Method::POST, &comments, Some(json!({"body": "hello"}))).await;
        }
    }
    told.fan_out().await;
    assert_eq!(told.waiting(told.by_mail()).await, 130, "a row for each thing");
    told.later(24 * 3_600).await;
    let mails = told.post.take();
    let subjects: Vec<&str> = mails.iter().map(|mail| mail.email.subject.as_str()).collect();
    assert_eq!(subjects, ["Daily digest: 130 things"]);
    let text = &mails[0].email.text;
    assert!(text.contains("And 70 more in your inbox: https://work.example.com/inbox"), "{text}");
    assert_eq!(text.matches("2 new comments").count(), 60);
    assert_eq!(told.waiting(told.by_mail()).await, 0, "all of it is taken away");
    told.later(24 * 3_600).await;
    assert_eq!(told.post.subjects(), [""; 0], "once");
    world.consistent().await;
}

#[tokio::test]
async fn a_page_of_a_long_inbox_looks_at_little_of_it_and_the_inbox_ends_somewhere() {
    let (kit, meter) = TestApp::new().metered();
    let world = World::on(kit).await;
    let item = world.item(&world.ada, "Greet people").await;
    let first = Subject::Item { key: item.parse().unwrap(), first: None };
    let mut ops = Vec::new();
    for n in 0..1_200_u128 {
        // Each is about a thing of its own that its owner may see.
        let mut entry = Entry::new(world.org.id, first.clone());
        entry.tell(news(n + 1));
        if n < 100 {
            entry.mark_done(true);
        }
        ops.push(Op::create(keys::inbox(world.ada.id, NotificationId(Uuid::from_u128(n * 7_919))), &entry));
    }
    for ops in ops.chunks(100) {
        svc_testkit::write(&world.kit.app, ops.to_vec()).await.unwrap();
    }
    let rows = async || {
        let all = Query::new(keys::inbox_pk(world.ada.id), Range::All, 1_000);
        world.kit.app.table.query_all(all).await.unwrap()
    };
    let page = world.entries(&world.ada, "?limit=20").await;
    assert_eq!(page.len(), 20);
    let kept: Vec<Entry> = rows().await.iter().map(|row| row.read().unwrap()).collect();
    assert_eq!(kept.len(), 1_000);
    assert!(kept.iter().all(|entry| !entry.is_done()), "what was done goes first");
    let oldest = kept.iter().map(Entry::at).min().unwrap();
    assert_eq!(oldest, news(201).at, "then the oldest");
    let before = meter.spent();
    let page = world.entries(&world.ada, "?limit=20").await;
    let spent = meter.spent() - before;
    assert!(spent.round_trips <= 6, "who asks, the inbox, what may be seen of the first: {spent}");
    insta::assert_snapshot!(
        "a_page_of_a_long_inbox",
        format!("a page of an inbox of 1,000 entries: {spent}")
    );
    let shown: BTreeSet<&str> = page.iter().map(|entry| entry["at"].as_str().unwrap()).collect();
    assert_eq!(shown.len(), 20);
    assert_eq!(page[0]["at"], json!(news(1_200).at));
}

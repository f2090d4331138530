//! Comments.

use http::Method;
use insta::assert_snapshot;
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_domain::identity::Scope;
use svc_storage::keys;
use svc_testkit::TestApp;

use crate::world::{World, patient};

#[tokio::test]
async fn comments_form_threads_and_are_listed_oldest_first() {
    let world = World::new().await;
    world.item("Item").await;
    let first = world.post("/items/PRJ-1/comments", json!({"body": "First\n\n* point"})).await;
    assert_snapshot!(first.snapshot());
    let id = first.json["id"].as_str().unwrap();
    let answer = json!({"body": "Answer", "replyTo": id});
    let answer = world.post_as(&world.guest.token, "/items/PRJ-1/comments", answer).await;
    assert_eq!((answer.status.as_u16(), &answer.json["replyTo"]), (201, &json!(id)), "a guest may");
    let deeper = json!({"body": "Answer to the answer", "replyTo": answer.json["id"]});
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    let deeper = world.post_as(&agent, "/items/PRJ-1/comments", deeper).await;
    assert_eq!((&deeper.json["author"]["agent"], &deeper.json["replyTo"]), (&json!(true), &json!(id)));

    let all = world.get_as(&world.owner, "/items/PRJ-1/comments").await.json;
    // An Owner deletes what others wrote, and does not edit it.
    let of_others = |written: &Value| {
        let mut seen = written.clone();
        seen["canEdit"] = json!(false);
        seen
    };
    let [first, answer, deeper] = [&first.json, &answer.json, &deeper.json].map(of_others);
    assert_eq!(all["items"], json!([first, answer, deeper]));
    let last = world.get_as(&world.owner, "/items/PRJ-1/comments?page=2&pageSize=2").await.json;
    assert_eq!((&last["totalCount"], &last["items"]), (&json!(3), &json!([deeper])));
    assert_eq!(world.get("/items/PRJ-1").await.json["version"], 1, "a comment is no change of the item");
}

#[tokio::test]
async fn who_may_not_write_may_not_react() {
    let world = World::new().await;
    world.item("Item").await;
    world.post("/items/PRJ-1/comments", json!({"body": "Text"})).await;
    let can_react = async |token: &str| {
        world.get_as(token, "/items/PRJ-1/comments").await.json["items"][0]["canReact"].clone()
    };
    assert_eq!(can_react(&world.guest.token).await, true);
    let reader = world.kit.token(world.ada.id, &[Scope::Read], None).await;
    assert_eq!(can_react(&reader).await, false);
    let refused = world.post_as(&reader, "/items/PRJ-1/comments", json!({"body": "Text"})).await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (403, "missing-scope"));
    let archive = json!({"version": 1, "archived": true});
    world.change_as(&world.owner, Method::PATCH, "/projects/PRJ", archive).await;
    assert_eq!(can_react(&world.ada.token).await, false);
    let refused = world.post("/items/PRJ-1/comments", json!({"body": "Text"})).await;
    assert_eq!(refused.problem(), "project-archived");
}

#[tokio::test]
async fn a_comment_has_a_text_and_answers_one_on_the_same_item() {
    let world = World::new().await;
    world.item("One").await;
    world.item("Two").await;
    let elsewhere =
        world.post("/items/PRJ-2/comments", json!({"body": "Elsewhere"})).await.json["id"].clone();
    let bodies = [
        json!({"body": ""}),
        json!({"body": " \n"}),
        json!({"body": "x".repeat(50_001)}),
        json!({"body": "Text", "replyTo": elsewhere}),
        json!({"body": "Text", "replyTo": "nothing"}),
        json!({"replyTo": elsewhere}),
        json!({"body": "Text", "author": "me"}),
        json!({"body": null}),
    ];
    for body in bodies {
        let reply = world.post("/items/PRJ-1/comments", body).await;
        assert_eq!((reply.status.as_u16(), reply.problem()), (422, "validation-failed"), "{}", reply.text);
        assert_ne!(reply.json["errors"], Value::Null);
    }
    let longest = world.post("/items/PRJ-1/comments", json!({"body": "ü".repeat(50_000)})).await;
    assert_eq!(longest.status, 201);
}

#[tokio::test]
async fn descriptions_and_comments_come_as_html_for_who_asks() {
    let world = World::new().await;
    let new = json!({"type": "bug", "title": "A", "body": "**PRJ-1** <img src=x onerror=alert(1)>"});
    world.post("/projects/PRJ/items", new).await;
    world.post("/items/PRJ-1/comments", json!({"body": "- [x] @ada"})).await;
    let item = world.get("/items/PRJ-1?render=html").await.json;
    assert_eq!(
        item["html"],
        "<p><strong><a href=\"/o/demo/p/PRJ/items/PRJ-1\" rel=\"nofollow noopener noreferrer\">PRJ-1</a></strong> \
         &lt;img src=x onerror=alert(1)&gt;</p>\n"
    );
    let comments = world.get("/items/PRJ-1/comments?render=html&pageSize=5").await.json;
    assert_eq!((&comments["pageSize"], &comments["totalCount"]), (&json!(5), &json!(1)));
    let html = comments["items"][0]["html"].as_str().unwrap();
    assert!(
        html.contains("type=\"checkbox\"") && html.contains("<span class=\"mention\">@ada</span>"),
        "{html}"
    );
    assert!(world.get("/items/PRJ-1/comments").await.json["items"][0]["html"].is_null());
}

/// One of 1,488 comments of 50 kB read and parsed all 73 MB.
#[tokio::test]
async fn a_page_of_a_long_discussion_reads_little_more_than_the_page() {
    let (kit, meter) = TestApp::with(patient()).metered();
    let world = World::on(kit).await;
    world.item("Item").await;
    let mut ids = Vec::new();
    for n in 0..130 {
        let text = format!("{n} {}", "word ".repeat(1_600));
        let comment = world.post("/items/PRJ-1/comments", json!({ "body": text })).await;
        ids.push(comment.json["id"].as_str().unwrap().to_owned());
    }
    world.kit.advance(SignedDuration::from_mins(2));
    let page = async |number: usize| {
        let path = format!("/items/PRJ-1/comments?pageSize=1&page={number}");
        let before = meter.spent();
        let json = world.get(&path).await.json;
        let id = json["items"][0]["id"].as_str().unwrap_or_default().to_owned();
        (id, json["totalCount"].as_u64().unwrap(), (meter.spent() - before).read_units)
    };
    let (id, total, units) = page(7).await;
    assert_eq!((id.as_str(), total), (ids[6].as_str(), 130));
    assert!(units > 250, "all are read at first: {units}");
    let outline = keys::outline(world.org.id, &"PRJ-1".parse().unwrap());
    while world.kit.app.table.get(&outline).await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    for number in [1, 7, 130] {
        let (id, total, units) = page(number).await;
        assert_eq!((id.as_str(), total), (ids[number - 1].as_str(), 130));
        assert!(units < 40, "page {number}: {units}");
    }
    // What is written after it is on its page, and what is deleted is on none, at once.
    let new = world.post("/items/PRJ-1/comments", json!({"body": "New"})).await.json["id"].clone();
    assert_eq!(page(131).await.0, new.as_str().unwrap());
    let gone = format!("/items/PRJ-1/comments/{}", ids[6]);
    let deleted = world.change_as(&world.ada.token, Method::DELETE, &gone, Value::Null).await;
    assert_eq!(deleted.status, 204);
    let (id, total, _) = page(7).await;
    assert_eq!((id.as_str(), total), (ids[7].as_str(), 130));
    let refused = world.get(&gone).await;
    assert_eq!(refused.status, 404);
}

//! What changed since a client last asked, and the same as it happens.

use axum::Router;
use http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_testkit::call;

use crate::live::Live;
use crate::world::World;

const STREAM: &str = "/projects/PRJ/changes/stream";

/// Keys and versions of what changed, and the next cursor.
async fn since(world: &World, router: &Router, cursor: &str) -> (Vec<String>, String) {
    let path = format!("/orgs/demo/projects/PRJ/changes?after={cursor}");
    let reply = call(router, Method::GET, &path, Some(&world.ada.token), None).await;
    assert_eq!((reply.status.as_u16(), &reply.json["reload"]), (200, &json!(false)), "{}", reply.text);
    let items = reply.json["items"].as_array().unwrap();
    let line = |item: &Value| format!("{} {}", item["key"].as_str().unwrap(), item["version"]);
    (items.iter().map(line).collect(), reply.json["cursor"].as_str().unwrap().to_owned())
}

async fn beginning(world: &World) -> String {
    let begun = world.get("/projects/PRJ/changes").await;
    assert_eq!(begun.json["items"], json!([]), "{}", begun.text);
    begun.json["cursor"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn each_change_is_told_once_by_whichever_process() {
    let world = World::new().await;
    let cursor = beginning(&world).await;
    world.item("One").await;
    world.item("Two").await;
    let (told, cursor) = since(&world, &world.elsewhere, &cursor).await;
    assert_eq!(told, ["PRJ-1 1", "PRJ-2 1"]);
    let (told, cursor) = since(&world, &world.router, &cursor).await;
    assert_eq!(told, Vec::<String>::new(), "nothing is told again at the same moment");
    world.patch("/items/PRJ-1", json!({"version": 1, "title": "New"})).await;
    world.kit.advance(SignedDuration::from_secs(3));
    let (told, cursor) = since(&world, &world.router, &cursor).await;
    assert_eq!(told, ["PRJ-1 2"]);
    world.kit.advance(SignedDuration::from_hours(2));
    world.patch("/items/PRJ-2", json!({"version": 1, "blocked": true})).await;
    assert_eq!(since(&world, &world.elsewhere, &cursor).await.0, ["PRJ-2 2"]);
}

#[tokio::test]
async fn an_entry_is_that_of_the_list() {
    let world = World::new().await;
    let cursor = beginning(&world).await;
    world.item("One").await;
    let mut list = world.get("/projects/PRJ/items").await.json;
    let count = list["items"][0].as_object_mut().unwrap().remove("subtaskCount");
    assert_eq!(count, Some(json!(0)), "a change does not tell it, because it changes without the item");
    let changes = world.get(&format!("/projects/PRJ/changes?after={cursor}")).await.json;
    assert_eq!(changes["items"], list["items"]);
}

#[tokio::test]
async fn what_was_written_by_a_slower_clock_is_not_missed() {
    let world = World::new().await;
    let cursor = beginning(&world).await;
    world.kit.advance(SignedDuration::from_secs(-5));
    world.item("Late").await;
    world.kit.advance(SignedDuration::from_secs(5));
    assert_eq!(since(&world, &world.router, &cursor).await.0, ["PRJ-1 1"]);
}

#[tokio::test]
async fn a_cursor_that_is_none_or_too_old_is_told_so() {
    let world = World::new().await;
    let cursor = beginning(&world).await;
    for wrong in ["x", "1", "1-", "1-zz", "2-1", "1-1-2", "1-1-2.3.4.5", "%00"] {
        let refused = world.get(&format!("/projects/PRJ/changes?after={wrong}")).await;
        assert!(refused.json["errors"]["after"].is_array(), "{wrong}: {}", refused.text);
    }
    world.kit.advance(SignedDuration::from_hours(25));
    let old = world.get(&format!("/projects/PRJ/changes?after={cursor}")).await.json;
    assert_eq!((&old["reload"], &old["items"]), (&json!(true), &json!([])));
    let next = old["cursor"].as_str().unwrap();
    world.item("One").await;
    assert_eq!(since(&world, &world.router, next).await.0, ["PRJ-1 1"]);
}

#[tokio::test]
async fn what_an_agent_says_is_no_change_of_the_item() {
    let world = World::new().await;
    world.item("One").await;
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    let cursor = beginning(&world).await;
    let (_, cursor) = since(&world, &world.router, &cursor).await;
    world.post_as(&agent, "/items/PRJ-1/comments", json!({"body": "A word"})).await.is(201);
    assert_eq!(since(&world, &world.router, &cursor).await.0, Vec::<String>::new());
}

#[tokio::test]
async fn a_stream_tells_what_happens_in_any_process_and_goes_on_where_it_was_cut() {
    let world = World::new().await;
    let mut live = Live::open(&world.elsewhere, STREAM, &world.ada.token, None).await;
    let (first, mut last) = live.event().await.unwrap();
    assert_eq!((&first["items"], &first["cursor"]), (&json!([]), &json!(last)));
    for n in 1..=3 {
        world.item(&format!("Number {n}")).await;
        let (told, id) = live.event().await.unwrap();
        assert_eq!(told["items"][0]["key"], format!("PRJ-{n}"));
        last = id;
    }
    drop(live);
    world.patch("/items/PRJ-2", json!({"version": 1, "title": "While away"})).await;
    let mut live = Live::open(&world.router, STREAM, &world.ada.token, Some(&last)).await;
    let told = live.event().await.unwrap().0;
    assert_eq!(
        (told["items"].as_array().unwrap().len(), &told["items"][0]["title"]),
        (1, &json!("While away"))
    );
}

/// Every event sent the changes of the last ten seconds again, once they were more than a cursor names.
#[tokio::test]
async fn a_stream_tells_each_of_many_changes_once() {
    let world = World::new().await;
    let mut live = Live::open(&world.router, STREAM, &world.ada.token, None).await;
    live.event().await.unwrap();
    let (mut told, mut longest) = (Vec::new(), 0);
    for n in 1..=200 {
        world.item(&format!("Number {n}")).await;
        if n % 10 == 0 {
            until(&mut live, n, &mut told, &mut longest).await;
        }
    }
    world.kit.advance(SignedDuration::from_secs(3));
    world.item("One more").await;
    until(&mut live, 201, &mut told, &mut longest).await;
    told.sort();
    let mut wanted: Vec<String> = (1..=201).map(|n| format!("PRJ-{n}")).collect();
    wanted.sort();
    assert_eq!(told, wanted);
    assert!(longest < 500, "a cursor of {longest} characters comes with every event");
}

/// Reads a stream until it told of an item, and keeps what it told and the length of its longest cursor.
async fn until(live: &mut Live, number: usize, told: &mut Vec<String>, longest: &mut usize) {
    let key = format!("PRJ-{number}");
    while !told.contains(&key) {
        let (event, id) = live.event().await.unwrap();
        assert_eq!(event["reload"], json!(false), "{event}");
        told.extend(
            event["items"].as_array().unwrap().iter().map(|item| item["key"].as_str().unwrap().into()),
        );
        *longest = id.len().max(*longest);
    }
}

/// It was told to load everything anew at each change.
#[tokio::test]
async fn a_stream_goes_on_behind_more_changes_in_a_moment_than_an_answer_holds() {
    let world = World::new().await;
    let mut live = Live::open(&world.router, STREAM, &world.ada.token, None).await;
    live.event().await.unwrap();
    let (mut told, mut longest) = (Vec::new(), 0);
    for n in 1..=2_010 {
        world.item(&format!("Number {n}")).await;
        if n % 100 == 0 || n == 2_010 {
            until(&mut live, n, &mut told, &mut longest).await;
        }
    }
    assert_eq!(told.len(), 2_010);
}

#[tokio::test]
async fn a_stream_ends_when_access_is_lost_and_when_the_process_stops() {
    let world = World::new().await;
    let mut live = Live::open(&world.router, STREAM, &world.ada.token, None).await;
    live.event().await.unwrap();
    let key = svc_storage::keys::project_member(world.org.id, &world.project.key, world.ada.id);
    let gone = svc_storage::Op::delete(key, svc_storage::Condition::None);
    svc_testkit::write(&world.kit.app, vec![gone]).await.unwrap();
    let new = json!({"type": "task", "title": "Secret"});
    world.post_as(&world.chief.token, "/projects/PRJ/items", new).await;
    assert_eq!(live.event().await, None, "it ends and tells nothing more");

    let mut live = Live::open(&world.router, STREAM, &world.chief.token, None).await;
    live.event().await.unwrap();
    world.kit.app.notifier.close();
    assert_eq!(live.event().await, None);
}

/// What was changed while the clock was behind stood before every cursor, and was never told.
#[tokio::test]
async fn a_clock_that_is_set_back_hides_no_change() {
    let world = World::new().await;
    world.item("One").await;
    let cursor = beginning(&world).await;
    world.kit.advance(SignedDuration::from_hours(-1));
    world.patch("/items/PRJ-1", json!({"version": 1, "title": "New"})).await;
    let behind = world.get(&format!("/projects/PRJ/changes?after={cursor}")).await.json;
    assert_eq!(behind["reload"], json!(true), "unsure, and so all is loaded anew: {behind}");
    let anew = behind["cursor"].as_str().unwrap().to_owned();
    assert_eq!(since(&world, &world.router, &anew).await.0, Vec::<String>::new());
    world.item("Two").await;
    let (told, anew) = since(&world, &world.router, &anew).await;
    assert_eq!(told, ["PRJ-2 1"]);
    // A client that did not ask meanwhile is told when the clock is right again.
    world.kit.advance(SignedDuration::from_secs(3_605));
    assert_eq!(since(&world, &world.router, &cursor).await.0, ["PRJ-1 2", "PRJ-2 1"]);
    assert_eq!(since(&world, &world.elsewhere, &anew).await.0, Vec::<String>::new());
}

#[tokio::test]
async fn a_client_that_asks_all_the_time_is_told_a_bulk_of_changes_once() {
    let world = World::new().await;
    let cursor = beginning(&world).await;
    for n in 0..120 {
        world.item(&format!("Item {n}")).await;
    }
    let (told, cursor) = since(&world, &world.router, &cursor).await;
    assert_eq!(told.len(), 120);
    assert!(cursor.len() < 4_000, "{} characters", cursor.len());
    let (told, cursor) = since(&world, &world.router, &cursor).await;
    assert_eq!(told.len(), 0, "though the cursor names only some of them");
    world.kit.advance(SignedDuration::from_mins(5));
    assert_eq!(since(&world, &world.router, &cursor).await.0.len(), 0);
}

#[tokio::test]
async fn followers_go_on_after_more_changes_than_an_answer_holds() {
    let world = World::new().await;
    for n in 0..2_001 {
        world.item(&format!("Item {n}")).await;
        world.kit.advance(SignedDuration::from_millis(1));
    }
    world.kit.advance(SignedDuration::from_mins(1));
    let mut cursor = beginning(&world).await;
    // Each answer is asked for anew while it says `reload`, which would never end.
    for _ in 0..3 {
        cursor = since(&world, &world.router, &cursor).await.1;
    }
    let late = world.item("A late one").await;
    let late = late["key"].as_str().unwrap();
    let (told, cursor) = since(&world, &world.router, &cursor).await;
    assert_eq!(told, [format!("{late} 1")]);
    assert_eq!(since(&world, &world.router, &cursor).await.0, Vec::<String>::new());
}

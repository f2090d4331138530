//! What changed in an organization, of everything that a caller may see, and the same as it happens.

use http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_domain::identity::{OrgRole, ProjectRole};
use svc_storage::{Condition, Op, keys};
use svc_testkit::{call, scopes, write};

use crate::live::Live;
use crate::world::{World, person};

const STREAM: &str = "/stream";

/// What is told as lines: keys and versions of items, and the kinds of the rest with what they are of.
fn lines(told: &Value) -> Vec<String> {
    let word = |value: &Value| value.as_str().map(|word| format!(" {word}")).unwrap_or_default();
    let items = told["items"].as_array().unwrap().iter();
    let items = items.map(|item| format!("{} {}", item["key"].as_str().unwrap(), item["version"]));
    let changed = told["changed"].as_array().unwrap().iter();
    let changed = changed.map(|changed| {
        format!(
            "{}{}{}",
            changed["kind"].as_str().unwrap(),
            word(&changed["project"]),
            word(&changed["item"])
        )
    });
    items.chain(changed).collect()
}

async fn since(world: &World, token: &str, cursor: &str) -> (Vec<String>, String) {
    let reply = world.get_as(token, &format!("/changes?after={cursor}")).await;
    assert_eq!((reply.status.as_u16(), &reply.json["reload"]), (200, &json!(false)), "{}", reply.text);
    (lines(&reply.json), reply.json["cursor"].as_str().unwrap().to_owned())
}

async fn beginning(world: &World) -> String {
    let begun = world.get("/changes").await;
    assert_eq!(lines(&begun.json), Vec::<String>::new(), "{}", begun.text);
    begun.json["cursor"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn everything_is_told_once_to_who_may_see_it() {
    let world = World::new().await;
    let cursor = beginning(&world).await;
    world.item("One").await;
    world.patch("/items/PRJ-1", json!({"version": 1, "blocked": true})).await;
    world.post("/items/PRJ-1/comments", json!({"body": "Hello"})).await;
    world.post_as(&world.owner, "/projects", json!({"key": "HID", "name": "Hidden"})).await;
    world.post_as(&world.owner, "/projects/HID/items", json!({"type": "task", "title": "Secret"})).await;
    world.post_as(&world.chief.token, "/projects/PRJ/labels", json!({"name": "Red"})).await;
    let of_project = ["PRJ-1 2", "comment PRJ PRJ-1", "labels PRJ"];
    let (told, next) = since(&world, &world.ada.token, &cursor).await;
    assert_eq!(told, of_project);
    assert_eq!(since(&world, &world.ada.token, &next).await.0, Vec::<String>::new());
    assert_eq!(since(&world, &world.guest.token, &cursor).await.0, of_project);
    assert_eq!(since(&world, &world.outsider.token, &cursor).await.0, Vec::<String>::new());
    let (all, _) = since(&world, &world.owner, &cursor).await;
    assert_eq!(all, ["PRJ-1 2", "HID-1 1", "comment PRJ PRJ-1", "project HID", "labels PRJ"]);
    let told = world.get(&format!("/changes?after={cursor}")).await.json;
    let listed = world.get("/projects/PRJ/items").await.json;
    assert_eq!(told["items"], listed["items"], "an item is that of the list");
}

#[tokio::test]
async fn what_agents_say_is_told_to_operators_only() {
    let world = World::new().await;
    let operator = person(&world.kit, &world.org, "op@example.com", OrgRole::Admin).await;
    world.item("One").await;
    let cursor = beginning(&world).await;
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    world.post_as(&agent, "/items/PRJ-1/comments", json!({"body": "Done"})).await.is(201);
    assert_eq!(since(&world, &operator.token, &cursor).await.0, ["comment PRJ PRJ-1"]);
    assert_eq!(since(&world, &world.ada.token, &cursor).await.0, Vec::<String>::new());
}

#[tokio::test]
async fn a_cursor_that_is_none_or_too_old_is_told_so() {
    let world = World::new().await;
    let cursor = beginning(&world).await;
    for wrong in ["x", "1", "j1", "j1-1", "2-1-1-1", "%00"] {
        let refused = world.get(&format!("/changes?after={wrong}")).await;
        assert!(refused.json["errors"]["after"].is_array(), "{wrong}: {}", refused.text);
    }
    world.kit.advance(SignedDuration::from_hours(25));
    let old = world.get(&format!("/changes?after={cursor}")).await.json;
    assert_eq!((&old["reload"], lines(&old)), (&json!(true), vec![]));
    world.item("One").await;
    assert_eq!(since(&world, &world.ada.token, old["cursor"].as_str().unwrap()).await.0, ["PRJ-1 1"]);
}

#[tokio::test]
async fn what_was_written_by_a_slower_clock_is_not_missed() {
    let world = World::new().await;
    world.item("One").await;
    let cursor = beginning(&world).await;
    world.kit.advance(SignedDuration::from_secs(-5));
    let late = json!({"version": 1, "title": "Late"});
    call(&world.elsewhere, Method::PATCH, "/orgs/demo/items/PRJ-1", Some(&world.ada.token), Some(late)).await;
    world.kit.advance(SignedDuration::from_secs(5));
    assert_eq!(since(&world, &world.ada.token, &cursor).await.0, ["PRJ-1 2"]);
}

#[tokio::test]
async fn a_stream_tells_what_any_process_did_and_goes_on_where_it_was_cut() {
    let world = World::new().await;
    let mut live = Live::open(&world.elsewhere, STREAM, &world.ada.token, None).await;
    let (first, mut last) = live.event().await.unwrap();
    assert_eq!((lines(&first), &first["cursor"]), (vec![], &json!(last)));
    for n in 1..=3 {
        world.item(&format!("Number {n}")).await;
        let (told, id) = live.event().await.unwrap();
        assert_eq!(lines(&told), [format!("PRJ-{n} 1")]);
        last = id;
    }
    drop(live);
    world.patch("/items/PRJ-2", json!({"version": 1, "title": "While away"})).await;
    let mut live = Live::open(&world.router, STREAM, &world.ada.token, Some(&last)).await;
    assert_eq!(lines(&live.event().await.unwrap().0), ["PRJ-2 2"]);
    world.post("/items/PRJ-2/comments", json!({"body": "Hello"})).await;
    assert_eq!(lines(&live.event().await.unwrap().0), ["PRJ-2 2", "comment PRJ PRJ-2"]);
}

#[tokio::test]
async fn a_stream_tells_each_of_many_changes_once() {
    let world = World::new().await;
    let mut live = Live::open(&world.router, STREAM, &world.ada.token, None).await;
    live.event().await.unwrap();
    let mut told = Vec::new();
    for n in 1..=200 {
        world.item(&format!("Number {n}")).await;
        let last = format!("PRJ-{n} 1");
        while n % 10 == 0 && !told.contains(&last) {
            told.extend(lines(&live.event().await.unwrap().0));
        }
    }
    told.sort();
    let mut wanted: Vec<String> = (1..=200).map(|n| format!("PRJ-{n} 1")).collect();
    wanted.sort();
    assert_eq!(told, wanted);
}

/// 520 streams of one read-only token took all connections of its network.
#[tokio::test]
async fn an_account_holds_few_streams_whatever_its_tokens_and_gets_one_back_for_each_that_ends() {
    let world = World::new().await;
    let other = world.kit.token(world.guest.id, scopes(), None).await;
    let mut held = Vec::new();
    for n in 0..32 {
        let path = if n % 2 == 0 { STREAM } else { "/projects/PRJ/changes/stream" };
        held.push(Live::open(&world.router, path, &world.guest.token, None).await);
    }
    for token in [&world.guest.token, &other] {
        let refused = world.get_as(token, STREAM).await;
        assert_eq!((refused.status.as_u16(), refused.problem()), (429, "rate-limited"), "{}", refused.text);
        assert_eq!(refused.header("retry-after"), "10");
        assert!(refused.text.contains("32 streams"), "{}", refused.text);
    }
    assert_eq!(world.get_as(&world.guest.token, "/projects").await.status, 200, "all else goes on");
    Live::open(&world.router, STREAM, &world.ada.token, None).await;
    held.pop();
    Live::open(&world.router, STREAM, &other, None).await;
}

#[tokio::test]
async fn a_commit_of_the_same_process_is_told_without_waiting_for_the_next_look() {
    let world = World::new().await;
    let mut live = Live::open(&world.router, STREAM, &world.ada.token, None).await;
    live.event().await.unwrap();
    let begun = std::time::Instant::now();
    for n in 1..=5 {
        world.item(&format!("Number {n}")).await;
        live.event().await.unwrap();
    }
    assert!(begun.elapsed().as_millis() < 4_000, "five changes took {:?}", begun.elapsed());
}

#[tokio::test]
async fn who_loses_a_project_in_between_is_told_so_and_nothing_more_of_it() {
    let world = World::new().await;
    let mut live = Live::open(&world.router, STREAM, &world.ada.token, None).await;
    live.event().await.unwrap();
    let key = keys::project_member(world.org.id, &world.project.key, world.ada.id);
    write(&world.kit.app, vec![Op::delete(key, Condition::None)]).await.unwrap();
    let secret = json!({"type": "task", "title": "Secret"});
    world.post_as(&world.chief.token, "/projects/PRJ/items", secret).await;
    world.post_as(&world.owner, "/projects", json!({"key": "NEW", "name": "New"})).await;
    let project = svc_domain::project::Project { key: "NEW".parse().unwrap(), ..world.project.clone() };
    world.kit.project_member(&world.org, &project, world.ada.id, ProjectRole::Member).await;
    world
        .post_as(&world.owner, "/projects/NEW/items", json!({"type": "task", "title": "Seen"}))
        .await
        .is(201);
    let mut told = Vec::new();
    while !told.iter().any(|line| line == "NEW-1 1") {
        told.extend(lines(&live.event().await.unwrap().0));
    }
    assert!(!told.iter().any(|line| line.contains("PRJ")), "{told:?}");

    let member = keys::member(world.org.id, world.ada.id);
    write(&world.kit.app, vec![Op::delete(member, Condition::None)]).await.unwrap();
    world.post_as(&world.owner, "/projects/NEW/items", json!({"type": "task", "title": "Unseen"})).await;
    assert_eq!(live.event().await, None, "who left is told nothing more");
}

#[tokio::test]
async fn a_stream_ends_when_the_process_stops() {
    let world = World::new().await;
    let mut live = Live::open(&world.router, STREAM, &world.chief.token, None).await;
    live.event().await.unwrap();
    world.kit.app.notifier.close();
    assert_eq!(live.event().await, None);
}

//! Links between items: who makes them, who sees them, and what they say about whether an item is blocked.

use futures::join;
use http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_app::messages::PurgeItem;
use svc_app::tracker::deletion;
use svc_domain::identity::{OrgRole, ProjectRole};
use svc_domain::project::Project;
use svc_storage::{Key, keys};
use svc_testkit::{Reply, call};

use crate::world::{World, person};

/// The usual world with three tasks in `PRJ`, and one in `WEB`, of which Ada is a member too, and Bob is not.
async fn world() -> World {
    world_and_web().await.0
}

async fn world_and_web() -> (World, Project) {
    let world = World::new().await;
    let web = world.kit.project(&world.org, "WEB").await;
    for person in [&world.ada, &world.chief] {
        world.kit.project_member(&world.org, &web, person.id, ProjectRole::Member).await;
    }
    for title in ["One", "Two", "Three"] {
        world.item(title).await;
    }
    let reply = world.post("/projects/WEB/items", json!({"type": "task", "title": "Foreign"})).await;
    assert_eq!(reply.json["key"], "WEB-1");
    (world, web)
}

async fn link(world: &World, key: &str, kind: &str, other: &str) -> Reply {
    world.post(&format!("/items/{key}/links"), json!({"type": kind, "item": other})).await
}

async fn unlink(world: &World, key: &str, kind: &str, other: &str) -> Reply {
    let path = format!("/items/{key}/links?type={kind}&item={other}");
    world.change_as(&world.ada.token, Method::DELETE, &path, Value::Null).await
}

async fn transition(world: &World, key: &str, state: &str) {
    let version = world.get(&format!("/items/{key}")).await.json["version"].clone();
    let body = json!({"version": version, "state": state});
    world.post(&format!("/items/{key}/transition"), body).await.is(200);
}

async fn blocked(world: &World, key: &str) -> bool {
    let item = world.get(&format!("/items/{key}")).await.json;
    let project = key.split('-').next().unwrap();
    let list = world.get(&format!("/projects/{project}/items?filter=blocked:true")).await.json;
    let listed = list["items"].as_array().unwrap().iter().any(|listed| listed["key"] == key);
    assert_eq!(item["blocked"], listed, "{key}: item and list say the same");
    listed
}

/// The links of an item as `type key`, as somebody sees them.
async fn links_as(world: &World, token: &str, key: &str) -> Vec<String> {
    let reply = world.get_as(token, &format!("/items/{key}/links")).await.is(200);
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let items = reply.json["items"].as_array().unwrap().iter();
    items.map(|link| format!("{} {}", word(&link["type"]), word(&link["item"]))).collect()
}

#[tokio::test]
async fn a_link_is_on_both_items_once_and_goes_from_both() {
    let world = world().await;
    for _ in 0..2 {
        let linked = link(&world, "PRJ-1", "blocks", "WEB-1").await;
        assert_eq!((linked.status.as_u16(), &linked.json["version"]), (200, &json!(2)), "{}", linked.text);
    }
    link(&world, "PRJ-1", "duplicates", "PRJ-2").await;
    assert_eq!(links_as(&world, &world.ada.token, "PRJ-1").await, ["blocks WEB-1", "duplicates PRJ-2"]);
    assert_eq!(links_as(&world, &world.ada.token, "WEB-1").await, ["blockedBy PRJ-1"]);
    assert_eq!(links_as(&world, &world.ada.token, "PRJ-2").await, ["duplicatedBy PRJ-1"]);
    let seen = world.get("/items/WEB-1/links").await.json;
    assert_eq!(
        seen["items"][0],
        json!({"type": "blockedBy", "item": "PRJ-1", "itemType": "task", "title": "One", "state": "Backlog",
            "stateGroup": "backlog"})
    );
    for _ in 0..2 {
        let gone = unlink(&world, "WEB-1", "blockedBy", "PRJ-1").await;
        assert_eq!((gone.status.as_u16(), &gone.json["version"]), (200, &json!(3)), "{}", gone.text);
    }
    assert_eq!(links_as(&world, &world.ada.token, "PRJ-1").await, ["duplicates PRJ-2"]);
    let history = world.history("WEB-1").await;
    assert_eq!(
        history[1..],
        [
            "ada linked blockedBy -→PRJ-1",
            "ada changed blocked false→true",
            "ada unlinked blockedBy PRJ-1→-",
            "ada changed blocked true→false"
        ]
    );
    let other = world.history("PRJ-1").await;
    let expected =
        ["ada linked blocks -→WEB-1", "ada linked duplicates -→PRJ-2", "ada unlinked blocks WEB-1→-"];
    assert_eq!(other[1..], expected);
}

#[tokio::test]
async fn an_item_is_blocked_until_the_last_open_blocker_is_done() {
    let world = world().await;
    link(&world, "PRJ-2", "blocks", "PRJ-1").await;
    link(&world, "PRJ-1", "blockedBy", "WEB-1").await;
    assert!(blocked(&world, "PRJ-1").await && !blocked(&world, "PRJ-2").await);
    for state in ["In progress", "In review", "Resolved"] {
        transition(&world, "PRJ-2", state).await;
    }
    world.work().await;
    assert!(blocked(&world, "PRJ-1").await, "WEB-1 is open");
    for state in ["In progress", "In review", "Resolved", "Closed"] {
        transition(&world, "WEB-1", state).await;
    }
    world.work().await;
    assert!(!blocked(&world, "PRJ-1").await);
    transition(&world, "PRJ-2", "In review").await;
    world.work().await;
    assert!(blocked(&world, "PRJ-1").await, "a blocker was reopened");
    unlink(&world, "PRJ-1", "blockedBy", "PRJ-2").await;
    assert!(!blocked(&world, "PRJ-1").await);
    // A link with what is done blocks nothing.
    link(&world, "PRJ-3", "blockedBy", "WEB-1").await;
    assert!(!blocked(&world, "PRJ-3").await);
}

#[tokio::test]
async fn a_person_blocks_an_item_by_hand_whatever_its_links_say() {
    let world = world().await;
    let set = async |blocked: bool| {
        let version = world.get("/items/PRJ-1").await.json["version"].clone();
        world.patch("/items/PRJ-1", json!({"version": version, "blocked": blocked})).await.json["blocked"]
            .clone()
    };
    link(&world, "PRJ-1", "blockedBy", "PRJ-2").await;
    assert_eq!(set(false).await, true, "the blocker is open");
    assert_eq!(set(true).await, true, "sent back as it was read");
    unlink(&world, "PRJ-1", "blockedBy", "PRJ-2").await;
    assert!(!blocked(&world, "PRJ-1").await);
    assert_eq!(set(true).await, true);
    link(&world, "PRJ-1", "blockedBy", "PRJ-2").await;
    unlink(&world, "PRJ-1", "blockedBy", "PRJ-2").await;
    assert!(blocked(&world, "PRJ-1").await, "a person said so");
    assert_eq!(set(false).await, false);
}

#[tokio::test]
async fn a_workflow_that_calls_a_state_done_unblocks() {
    let world = world().await;
    link(&world, "PRJ-1", "blocks", "WEB-1").await;
    transition(&world, "PRJ-1", "In progress").await;
    let mut workflow = world.get("/projects/PRJ/workflow").await.json;
    workflow["states"][1]["group"] = "resolved".into();
    let body =
        json!({"version": workflow["version"], "states": workflow["states"], "moves": workflow["moves"]});
    world.change_as(&world.chief.token, Method::PUT, "/projects/PRJ/workflow", body).await.is(200);
    world.work().await;
    assert!(!blocked(&world, "WEB-1").await);
}

#[tokio::test]
async fn what_somebody_does_not_see_is_not_disclosed() {
    let world = world().await;
    link(&world, "PRJ-1", "relates", "WEB-1").await;
    link(&world, "PRJ-1", "relates", "PRJ-2").await;
    let (bob, ada) = (&world.bob.token, &world.ada.token);
    assert_eq!(links_as(&world, ada, "PRJ-1").await, ["relates PRJ-2", "relates WEB-1"]);
    assert_eq!(links_as(&world, bob, "PRJ-1").await, ["relates PRJ-2"]);
    let history = world.get_as(bob, "/items/PRJ-1/history").await;
    assert!(!history.text.contains("WEB"), "{}", history.text);
    assert_eq!(history.json["totalCount"], 3);
    let blank = history.json["items"].as_array().unwrap().iter().find(|line| line["to"].is_null()).unwrap();
    assert_eq!((&blank["action"], &blank["field"]), (&json!("linked"), &json!("relates")), "{blank}");
    assert_eq!(world.get("/items/PRJ-1/history").await.json["totalCount"], 3);

    // Neither making nor removing a link tells him that there is such an item.
    let refused = |item: &'static str| {
        world.post_as(bob, "/items/PRJ-1/links", json!({"type": "blocks", "item": item}))
    };
    let (hidden, absent) = (refused("WEB-1").await, refused("WEB-9").await);
    assert_eq!((hidden.status, absent.status), (http::StatusCode::UNPROCESSABLE_ENTITY, hidden.status));
    assert_eq!(hidden.json["errors"]["item"][0], "There is no item WEB-1 that you can see.");
    assert_eq!(absent.json["errors"]["item"][0], "There is no item WEB-9 that you can see.");
    let path = "/items/PRJ-1/links?type=relates&item=WEB-1";
    let kept = world.change_as(bob, Method::DELETE, path, Value::Null).await;
    assert_eq!((kept.status.as_u16(), &kept.json["version"]), (200, &json!(3)));
    assert_eq!(links_as(&world, ada, "WEB-1").await, ["relates PRJ-1"]);
}

/// Nobody in an item's project could end what blocked it, or make room for another link.
#[tokio::test]
async fn who_works_on_an_item_takes_links_away_that_they_do_not_see() {
    let world = world().await;
    let bob = &world.bob.token;
    let of_web = world.post("/projects/WEB/items", json!({"type": "task", "title": "Another"})).await;
    assert_eq!(of_web.json["key"], "WEB-2");
    link(&world, "PRJ-1", "blockedBy", "WEB-1").await;
    link(&world, "PRJ-1", "relates", "WEB-2").await;
    link(&world, "PRJ-1", "relates", "PRJ-2").await;
    delete(&world, "WEB-2").await;
    assert_eq!(world.get_as(bob, "/items/PRJ-1/links").await.json["hidden"], 2);
    assert_eq!(world.get_as(bob, "/items/PRJ-1/page").await.json["hiddenLinks"], 2);

    let path = "/items/PRJ-1/links?hidden=true";
    let both = world.change_as(bob, Method::DELETE, &format!("{path}&item=WEB-1"), Value::Null).await;
    assert_eq!(both.json["errors"]["hidden"][0], "Give it alone, without url, type and item.");
    for _ in 0..2 {
        let gone = world.change_as(bob, Method::DELETE, path, Value::Null).await;
        assert_eq!((gone.status.as_u16(), &gone.json["blocked"]), (200, &json!(false)), "{}", gone.text);
    }
    world.work().await;
    restore(&world, "WEB-2").await;
    assert_eq!(links_as(&world, &world.ada.token, "PRJ-1").await, ["relates PRJ-2"]);
    for other in ["WEB-1", "WEB-2"] {
        assert!(links_as(&world, &world.ada.token, other).await.is_empty(), "{other}");
    }
    assert!(!blocked(&world, "PRJ-1").await);
    let history = world.get_as(bob, "/items/PRJ-1/history").await;
    assert!(!history.text.contains("WEB"), "{}", history.text);
    let lines = history.json["items"].as_array().unwrap();
    let unlinked: Vec<_> = lines.iter().filter(|line| line["action"] == "unlinked").collect();
    assert_eq!(unlinked.len(), 2, "what he took away is told, without the keys: {}", history.text);
    assert!(
        unlinked.iter().all(|line| line["from"].is_null() && line["actor"]["name"] == "bob"),
        "{unlinked:?}"
    );
}

/// Members learned from histories who works when in projects that they do not see.
#[tokio::test]
async fn who_resolves_a_blocker_is_named_only_where_they_are_known() {
    let (world, web) = world_and_web().await;
    let cleo = person(&world.kit, &world.org, "cleo@example.com", OrgRole::Member).await;
    world.kit.project_member(&world.org, &web, cleo.id, ProjectRole::Member).await;
    link(&world, "PRJ-1", "blockedBy", "WEB-1").await;
    for state in ["In progress", "In review", "Resolved"] {
        let version = world.get("/items/WEB-1").await.json["version"].clone();
        let body = json!({"version": version, "state": state});
        world.post_as(&cleo.token, "/items/WEB-1/transition", body).await.is(200);
    }
    world.work().await;
    assert!(!blocked(&world, "PRJ-1").await);
    let history = world.get_as(&world.bob.token, "/items/PRJ-1/history").await;
    assert!(!history.text.contains(&cleo.id.to_string()), "{}", history.text);
}

#[tokio::test]
async fn bad_links_are_refused_with_what_to_do() {
    let world = world().await;
    link(&world, "PRJ-1", "blocks", "PRJ-2").await;
    link(&world, "PRJ-2", "blocks", "WEB-1").await;
    link(&world, "PRJ-1", "duplicates", "PRJ-3").await;
    for (kind, other, why) in [
        ("blocks", "PRJ-1", "with itself"),
        ("blockedBy", "PRJ-2", "block each other"),
        ("blockedBy", "WEB-1", "block each other"),
        ("duplicatedBy", "PRJ-3", "the other way round"),
        ("relates", "PRJ-99", "no item PRJ-99"),
        ("relates", "nonsense", "item"),
        ("cousin", "PRJ-2", "blocks"),
    ] {
        let refused = link(&world, "PRJ-1", kind, other).await;
        assert_eq!(refused.status, 422, "{kind} {other}: {}", refused.text);
        assert!(refused.text.contains(why), "{kind} {other}: {}", refused.text);
    }
    let url = "https://code.example/pull/7";
    for body in [
        json!({"type": "relates"}),
        json!({"item": "PRJ-2"}),
        json!({"url": url, "item": "PRJ-2"}),
        json!({}),
    ] {
        assert_eq!(world.post("/items/PRJ-1/links", body.clone()).await.status, 422, "{body}");
    }
    let guest =
        world.post_as(&world.guest.token, "/items/PRJ-1/links", json!({"type": "relates", "item": "PRJ-2"}));
    assert_eq!(guest.await.problem(), "forbidden");
    // A caller who may only look at the other item does not link with it.
    let sees = world.kit.project(&world.org, "OPS").await;
    world.kit.project_member(&world.org, &sees, world.chief.id, ProjectRole::Member).await;
    world.post_as(&world.chief.token, "/projects/OPS/items", json!({"type": "task", "title": "Far"})).await;
    assert_eq!(link(&world, "PRJ-1", "relates", "OPS-1").await.status, 422);
}

#[tokio::test]
async fn an_item_has_so_many_links_and_no_more() {
    let world = world().await;
    for number in 0..30 {
        world.item(&format!("Other {number}")).await;
        link(&world, "PRJ-1", "relates", &format!("PRJ-{}", number + 4)).await.is(200);
    }
    for (key, other) in [("PRJ-1", "PRJ-2"), ("PRJ-2", "PRJ-1")] {
        let refused = link(&world, key, "blocks", other).await;
        assert!(refused.text.contains("at most 30 links"), "{}", refused.text);
    }
}

#[tokio::test]
async fn an_item_that_many_block_is_judged_in_one_commit() {
    let world = world().await;
    for number in 0..30 {
        world.item(&format!("Other {number}")).await;
        link(&world, "PRJ-1", "blockedBy", &format!("PRJ-{}", number + 4)).await.is(200);
    }
    for number in 0..30 {
        let gone = unlink(&world, "PRJ-1", "blockedBy", &format!("PRJ-{}", number + 4)).await;
        assert_eq!(
            (gone.status.as_u16(), &gone.json["blocked"]),
            (200, &json!(number < 29)),
            "{}",
            gone.text
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_links_that_would_close_a_circle_together_do_not() {
    let world = world().await;
    for round in 0..8 {
        let mut keys = Vec::new();
        for title in ["A", "B", "C", "D"] {
            keys.push(world.item(title).await["key"].as_str().unwrap().to_owned());
        }
        // A blocks B and C blocks D already; B blocks C and D blocks A at the same moment, by different items.
        link(&world, &keys[0], "blocks", &keys[1]).await;
        link(&world, &keys[2], "blocks", &keys[3]).await;
        let make = |router: axum::Router, from: String, to: String| {
            let token = world.ada.token.clone();
            tokio::spawn(async move {
                let (path, body) =
                    (format!("/orgs/demo/items/{from}/links"), json!({"type": "blocks", "item": to}));
                call(&router, Method::POST, &path, Some(&token), Some(body)).await
            })
        };
        let one = make(world.router.clone(), keys[1].clone(), keys[2].clone());
        let two = make(world.elsewhere.clone(), keys[3].clone(), keys[0].clone());
        let (one, two) = join!(one, two);
        let replies = [one.unwrap(), two.unwrap()];
        let made = replies.iter().filter(|reply| reply.status == 200).count();
        assert_eq!(made, 1, "round {round}: {} {}", replies[0].text, replies[1].text);
    }
}

async fn delete(world: &World, key: &str) {
    let path = format!("/items/{key}");
    assert_eq!(world.change_as(&world.ada.token, Method::DELETE, &path, Value::Null).await.status, 204);
    world.work().await;
}

async fn restore(world: &World, key: &str) {
    assert_eq!(world.post(&format!("/items/{key}/restore"), Value::Null).await.status, 200);
    world.work().await;
}

#[tokio::test]
async fn a_deleted_item_blocks_nothing_until_it_is_back() {
    let world = world().await;
    link(&world, "PRJ-1", "blocks", "WEB-1").await;
    link(&world, "PRJ-2", "blocks", "PRJ-1").await;
    link(&world, "PRJ-1", "relates", "PRJ-3").await;
    let ada = &world.ada.token;
    let before = links_as(&world, ada, "PRJ-1").await;
    delete(&world, "PRJ-1").await;
    assert!(!blocked(&world, "WEB-1").await, "what blocked it is gone");
    for key in ["WEB-1", "PRJ-2", "PRJ-3"] {
        assert_eq!(links_as(&world, ada, key).await, [""; 0], "{key}");
    }
    assert_eq!(world.get("/items/PRJ-1/links").await.problem(), "item-deleted");
    // A circle that would be there as soon as it came back is refused, and nobody takes its links away meanwhile.
    let refused = link(&world, "WEB-1", "blocks", "PRJ-2").await;
    assert!(refused.text.contains("block each other"), "{}", refused.text);
    assert_eq!(link(&world, "PRJ-3", "relates", "PRJ-1").await.status, 422);
    assert_eq!(unlink(&world, "PRJ-3", "relates", "PRJ-1").await.status, 200);
    // What blocked it is done meanwhile.
    for state in ["In progress", "In review", "Resolved"] {
        transition(&world, "PRJ-2", state).await;
    }
    world.work().await;
    restore(&world, "PRJ-1").await;
    assert_eq!(links_as(&world, ada, "PRJ-1").await, before);
    assert!(blocked(&world, "WEB-1").await && !blocked(&world, "PRJ-1").await);
}

#[tokio::test]
async fn the_last_of_an_item_takes_its_links_along() {
    let world = world().await;
    link(&world, "PRJ-1", "blocks", "WEB-1").await;
    link(&world, "PRJ-1", "relates", "PRJ-2").await;
    delete(&world, "PRJ-2").await;
    let at = world.kit.app.now();
    delete(&world, "PRJ-1").await;
    let message = PurgeItem { org: world.org.id, item: "PRJ-1".parse().unwrap(), at };
    world.kit.advance(SignedDuration::from_hours(24 * 32));
    for _ in 0..2 {
        deletion::purge(&world.kit.app, &message).await.unwrap();
    }
    let (far, near) = ("WEB-1".parse().unwrap(), "PRJ-2".parse().unwrap());
    for place in [Key::from(keys::item(world.org.id, &far)), keys::deleted_item(world.org.id, &near).into()] {
        let row = world.kit.app.table.get(&place).await.unwrap().expect("its row");
        assert!(!row.doc.contains("PRJ-1"), "{}", row.doc);
    }
}

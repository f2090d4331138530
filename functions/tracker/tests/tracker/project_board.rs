//! A project as a board: one answer to draw it from, and a place in the changes to follow it from.

use axum::body::Body;
use http::{Method, Request};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_testkit::{Reply, call, send};

use crate::world::World;

async fn ask(world: &World, path: &str, header: (&str, &str)) -> Reply {
    let request = Request::builder()
        .uri(format!("/api/v1/orgs/demo{path}"))
        .header("authorization", format!("Bearer {}", world.ada.token))
        .header(header.0, header.1);
    send(&world.router, request.body(Body::empty()).unwrap()).await
}

fn keys(items: &Value) -> Vec<&str> {
    items.as_array().unwrap().iter().map(|item| item["key"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_board_has_every_card_by_rank_and_is_followed_from_its_cursor() {
    let world = World::new().await;
    for title in ["One", "Two", "Three"] {
        world.item(title).await;
    }
    let first = json!({"version": 1, "after": null});
    world.post("/items/PRJ-3/move", first).await;
    let board = world.get("/projects/PRJ/board").await.json;
    assert_eq!(keys(&board["items"]), ["PRJ-3", "PRJ-1", "PRJ-2"]);
    assert_eq!(board["itemCount"], 3);
    let can = |edit: bool| {
        json!({
            "edit": edit, "comment": true, "start": false, "transition": edit, "delete": false, "configure": false,
        })
    };
    assert_eq!(board["can"], can(true));
    let guests = world.get_as(&world.guest.token, "/projects/PRJ/board").await.json;
    assert_eq!(guests["can"], can(false));
    assert_eq!(board["workflow"]["states"][0]["name"], board["items"][0]["state"]);
    let ranks: Vec<&str> =
        board["items"].as_array().unwrap().iter().map(|item| item["rank"].as_str().unwrap()).collect();
    assert!(
        ranks.is_sorted() && !ranks[0].is_empty(),
        "a client can put a changed card where it is: {ranks:?}"
    );

    let moved = json!({"version": 1, "state": "In progress", "change": {"priority": "high"}});
    let moved = call(
        &world.elsewhere,
        Method::POST,
        "/orgs/demo/items/PRJ-1/move",
        Some(&world.ada.token),
        Some(moved),
    )
    .await;
    assert_eq!((moved.status.as_u16(), &moved.json["version"]), (200, &json!(2)), "{}", moved.text);
    let changes =
        world.get(&format!("/projects/PRJ/changes?after={}", board["cursor"].as_str().unwrap())).await;
    let told = changes.json["items"].as_array().unwrap().iter().find(|item| item["key"] == "PRJ-1").unwrap();
    assert_eq!((&told["state"], &told["priority"]), (&json!("In progress"), &json!("high")));
    let stranger = world.get_as(&world.outsider.token, "/projects/PRJ/board").await;
    assert_eq!(stranger.problem(), "not-found");
}

#[tokio::test]
async fn a_move_is_all_or_nothing() {
    let world = World::new().await;
    world.item("One").await;
    let both = json!({"version": 1, "state": "In progress", "change": {"estimate": -1.0}});
    assert_eq!(world.post("/items/PRJ-1/move", both).await.problem(), "validation-failed");
    let away = json!({"version": 1, "state": "Closed", "change": {"estimate": 2.0}});
    assert_eq!(world.post("/items/PRJ-1/move", away).await.problem(), "move-not-permitted");
    let item = world.get("/items/PRJ-1").await.json;
    assert_eq!((&item["version"], &item["estimate"]), (&json!(1), &json!(null)), "nothing happened");
    let nothing = json!({"version": 1, "state": item["state"], "change": {}});
    assert_eq!(world.post("/items/PRJ-1/move", nothing).await.json["version"], 1, "it is so already");
}

#[tokio::test]
async fn what_is_read_again_is_told_to_be_the_same() {
    let world = World::new().await;
    world.item("One").await;
    let read = world.get("/items/PRJ-1").await;
    let tag = read.header("etag").to_owned();
    assert!(tag.starts_with("W/"), "{tag}");
    assert_eq!(read.header("cache-control"), "private, no-cache");
    let again = ask(&world, "/items/PRJ-1", ("if-none-match", &tag)).await;
    assert_eq!((again.status.as_u16(), again.text.as_str(), again.header("etag")), (304, "", tag.as_str()));
    let strong = format!("\"other\", {}", tag.trim_start_matches("W/"));
    let proxied = ask(&world, "/items/PRJ-1", ("if-none-match", &strong)).await;
    assert_eq!(
        proxied.status.as_u16(),
        304,
        "a proxy may have unpacked the answer and made the tag a strong one"
    );
    assert_eq!(proxied.header("vary"), "Authorization, Cookie, Accept-Encoding");
    let made = json!({"version": 1, "title": "Other"});
    call(&world.router, Method::PATCH, "/orgs/demo/items/PRJ-1", Some(&world.ada.token), Some(made)).await;
    let changed = ask(&world, "/items/PRJ-1", ("if-none-match", &tag)).await;
    assert_eq!((changed.status.as_u16(), &changed.json["title"]), (200, &json!("Other")));
    let posted = world.post("/items/PRJ-1/claim", json!({"version": 2})).await;
    assert_eq!(posted.header("etag"), "", "what changes something is never the same again");
}

/// The cursor says when it was read, so that the same board had another tag each time.
#[tokio::test]
async fn a_board_and_what_changed_are_the_same_until_something_changes() {
    let world = World::new().await;
    world.item("One").await;
    let begin = world.get("/projects/PRJ/changes").await.json["cursor"].as_str().unwrap().to_owned();
    let of_org = world.get("/changes").await.json["cursor"].as_str().unwrap().to_owned();
    let addresses = [
        "/projects/PRJ/board".to_owned(),
        format!("/projects/PRJ/changes?after={begin}"),
        format!("/changes?after={of_org}"),
    ];
    let mut tags = Vec::new();
    for address in &addresses {
        tags.push(world.get(address).await.header("etag").to_owned());
    }
    world.kit.advance(SignedDuration::from_secs(30));
    for (address, tag) in addresses.iter().zip(&tags) {
        let again = ask(&world, address, ("if-none-match", tag)).await;
        assert_eq!(again.status.as_u16(), 304, "{address}: {}", again.text);
    }
    world.item("Two").await;
    for (address, tag) in addresses.iter().zip(&tags) {
        let changed = ask(&world, address, ("if-none-match", tag)).await;
        assert_eq!(changed.status.as_u16(), 200, "{address}");
        assert!(changed.text.contains("Two"), "{address}: {}", changed.text);
    }
}

#[tokio::test]
async fn a_list_is_compressed_for_who_can_read_that() {
    let world = World::new().await;
    for number in 0..40 {
        world.item(&format!("Item {number}")).await;
    }
    let plain = world.get("/projects/PRJ/items").await;
    assert_eq!(plain.header("content-encoding"), "");
    for encoding in ["gzip", "br"] {
        let packed = ask(&world, "/projects/PRJ/items", ("accept-encoding", encoding)).await;
        assert_eq!(packed.header("content-encoding"), encoding);
        assert!(
            packed.bytes.len() * 6 < plain.bytes.len(),
            "{} of {}",
            packed.bytes.len(),
            plain.bytes.len()
        );
    }
    for unreadable in ["zip", "identity", "gzip;q=0, br;q=0", ""] {
        let unpacked = ask(&world, "/projects/PRJ/items", ("accept-encoding", unreadable)).await;
        assert_eq!((unpacked.header("content-encoding"), &unpacked.json), ("", &plain.json), "{unreadable}");
    }
    let short = ask(&world, "/items/PRJ-1/watchers", ("accept-encoding", "gzip")).await;
    assert_eq!(short.header("content-encoding"), "", "it fits a packet as it is");
}

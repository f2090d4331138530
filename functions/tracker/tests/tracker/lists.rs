//! Lists of items.

use insta::assert_snapshot;
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_testkit::{TestApp, call};

use crate::world::{AREAS, World};

fn keys(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|item| item["key"].as_str().unwrap()).collect()
}

/// Percent-encodes a query value.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

async fn find(world: &World, filter: &str) -> Vec<String> {
    let path = format!("/projects/PRJ/items?sort=key&filter={}", encoded(filter));
    let reply = world.get(&path).await;
    assert_eq!(reply.status, 200, "{filter}: {}", reply.text);
    keys(&reply.json).into_iter().map(str::to_owned).collect()
}

#[tokio::test]
async fn a_list_entry_is_the_item_without_its_description() {
    let world = World::new().await;
    world.item("Epic").await;
    let new = json!({
        "type": "bug", "title": "Crash", "body": "Long story", "labels": ["b", "a"], "estimate": 1,
        "parent": "PRJ-1", "assignee": "@me", "priority": "highest",
    });
    assert_eq!(world.post("/projects/PRJ/items", new).await.status, 201);
    let mut item = world.post("/items/PRJ-2/claim", json!({"version": 1})).await.json;
    let list = world.get("/projects/PRJ/items").await;
    assert_eq!(keys(&list.json), ["PRJ-2", "PRJ-1"], "last changed first");
    item["body"] = "".into();
    item["subtaskCount"] = 0.into();
    item.as_object_mut().unwrap().remove("branch");
    assert_eq!(list.json["items"][0], item);
    assert_snapshot!(list.snapshot());
}

#[tokio::test]
async fn filters_sorts_and_pages_apply() {
    let world = World::new().await;
    for n in 1..=5 {
        world.kit.advance(SignedDuration::from_secs(1));
        let kind = if n % 2 == 0 { "bug" } else { "task" };
        let new =
            json!({"type": kind, "title": format!("Number {n}"), "labels": [format!("l{n}")], "estimate": n});
        world.post("/projects/PRJ/items", new).await;
    }
    world.post("/items/PRJ-3/transition", json!({"version": 1, "state": "In progress"})).await;
    world.post("/items/PRJ-5/claim", json!({"version": 1})).await;

    assert_eq!(find(&world, "type:bug").await, ["PRJ-2", "PRJ-4"]);
    assert_eq!(find(&world, "state:active").await, ["PRJ-3"]);
    assert_eq!(find(&world, "state:\"In progress\"").await, ["PRJ-3"]);
    assert_eq!(find(&world, "claimed:@me").await, ["PRJ-5"]);
    assert_eq!(find(&world, "estimate:>=4 -label:l4").await, ["PRJ-5"]);
    assert_eq!(find(&world, "label:l1,l2 type:task").await, ["PRJ-1"]);
    let page = world.get("/projects/PRJ/items?sort=-estimate&page=2&pageSize=2").await.json;
    assert_eq!(keys(&page), ["PRJ-3", "PRJ-2"]);
    assert_eq!((&page["page"], &page["pageSize"], &page["totalCount"]), (&json!(2), &json!(2), &json!(5)));
    let clamped = world.get("/projects/PRJ/items?page=0&pageSize=1000000").await.json;
    assert_eq!((&clamped["page"], &clamped["pageSize"]), (&json!(1), &json!(100)));
    assert_eq!(keys(&world.get("/projects/PRJ/items?q=number%203").await.json), ["PRJ-3"]);
    for (asked, page, size) in [
        ("page=-7&pageSize=0", 1, 1),
        ("page=99999999999999999999&pageSize=99999999999999999999", u32::MAX, 100),
        ("pageSize=-2", 1, 1),
    ] {
        let clamped = world.get(&format!("/projects/PRJ/items?{asked}")).await.is(200);
        let found = (&clamped.json["page"], &clamped.json["pageSize"], &clamped.json["totalCount"]);
        assert_eq!(found, (&json!(page), &json!(size), &json!(5)), "{asked}");
    }
}

#[tokio::test]
async fn words_are_found_in_descriptions_too_whatever_their_accents() {
    let world = World::new().await;
    for (title, body) in [("Ärger im Büro", ""), ("Coffee", "The crème brûlée is cold"), ("Tea", "hot")]
    {
        let new = json!({"type": "task", "title": title, "body": body, "labels": ["épic"]});
        assert_eq!(world.post("/projects/PRJ/items", new).await.status, 201);
    }
    while svc_app::search::index_waiting(&world.kit.app).await.unwrap() > 0 {}
    let found = async |q: &str| {
        let path = format!("/projects/PRJ/items?sort=key&q={}", encoded(q));
        keys(&world.get(&path).await.json).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    for (q, expected) in [
        ("arger", &["PRJ-1"][..]),
        ("A\u{308}RGER buro", &["PRJ-1"]),
        ("creme brulee", &["PRJ-2"]),
        ("coffee cold", &["PRJ-2"]),
        ("epic", &["PRJ-1", "PRJ-2", "PRJ-3"]),
        ("brulee hot", &[]),
    ] {
        assert_eq!(found(q).await, expected, "{q}");
    }
    let path = "/projects/PRJ/items?q=cold&filter=type:bug";
    assert_eq!(world.get(path).await.json["totalCount"], 0, "the filter holds for descriptions too");
    // The text is believed, not the index.
    world.patch("/items/PRJ-2", json!({"version": 1, "body": "Warm"})).await;
    assert_eq!(found("cold").await, Vec::<String>::new());
}

#[tokio::test]
async fn a_filter_or_order_that_is_none_is_explained() {
    let world = World::new().await;
    let path = format!("/projects/PRJ/items?sort=size&filter={}", encoded("colour:red state:"));
    assert_snapshot!(world.get(&path).await.snapshot());
    let malformed = world.get("/projects/PRJ/items?page=two").await;
    assert_eq!((malformed.status.as_u16(), malformed.problem()), (400, "invalid-query"));
}

#[tokio::test]
async fn an_order_lists_names_the_ways_that_are_documented() {
    let world = World::new().await;
    world.item("Item").await;
    for key in ["updated", "created", "key", "title", "priority", "estimate"] {
        for sort in [key.to_owned(), format!("-{key}")] {
            assert_eq!(world.get(&format!("/projects/PRJ/items?sort={sort}")).await.status, 200, "{sort}");
        }
    }
    for sort in ["Key", "-KEY", "--key", "size"] {
        let refused = world.get(&format!("/projects/PRJ/items?sort={sort}")).await;
        assert!(refused.json["errors"]["sort"].is_array(), "{sort}: {}", refused.text);
    }
}

async fn titles(kit: &TestApp, token: &str) -> Vec<String> {
    let router = kit.router(&AREAS);
    let path = "/orgs/demo/projects/PRJ/items?sort=key";
    let reply = call(&router, http::Method::GET, path, Some(token), None).await;
    let items = reply.json["items"].as_array().unwrap().clone();
    items.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn two_processes_on_one_store_see_each_others_items_at_once() {
    let world = World::new().await;
    let beside = world.kit.beside();
    let other = beside.router(&AREAS);
    let token = &world.ada.token;
    let mut expected: Vec<String> = Vec::new();
    for n in 1..=10 {
        let (writer, title) = (if n % 2 == 0 { &world.router } else { &other }, format!("Number {n}"));
        let body = json!({"type": "task", "title": title});
        let path = "/orgs/demo/projects/PRJ/items";
        call(writer, http::Method::POST, path, Some(token), Some(body)).await.is(201);
        expected.push(title);
        assert_eq!(titles(&world.kit, token).await, expected);
        assert_eq!(titles(&beside, token).await, expected);
        // Sometimes at the same moment, sometimes long after.
        world.kit.advance(SignedDuration::from_secs(n % 3 * 20));
    }
    let path = "/orgs/demo/items/PRJ-1";
    let body = json!({"version": 1, "title": "Renamed"});
    call(&other, http::Method::PATCH, path, Some(token), Some(body)).await;
    expected[0] = "Renamed".into();
    assert_eq!(titles(&world.kit, token).await, expected);
}

#[tokio::test]
async fn a_list_is_complete_after_the_clock_stepped_back() {
    let world = World::new().await;
    let late = world.kit.beside();
    world.item("One").await;
    assert_eq!(titles(&world.kit, &world.ada.token).await, ["One"]);
    // This process' clock was an hour ahead, and is set right.
    world.kit.advance(SignedDuration::from_hours(1));
    assert_eq!(titles(&world.kit, &world.ada.token).await, ["One"]);
    world.kit.advance(SignedDuration::from_hours(-1));
    world.item("Two").await;
    assert_eq!(titles(&world.kit, &world.ada.token).await, ["One", "Two"]);
    assert_eq!(titles(&late, &world.ada.token).await, ["One", "Two"]);
}

#[tokio::test]
async fn a_list_says_how_many_items_belong_to_each_and_what_the_caller_may_do() {
    let world = World::new().await;
    world.item("Parent").await;
    let count = async || {
        let list = world.get("/projects/PRJ/items?sort=key").await.json;
        list["items"][0]["subtaskCount"].clone()
    };
    assert_eq!(count().await, 0);
    let child = json!({"type": "subtask", "title": "Part", "parent": "PRJ-1", "estimate": 1});
    world.post("/projects/PRJ/items", child).await.is(201);
    assert_eq!(count().await, 1, "although the parent itself did not change");
    assert_eq!(world.get("/projects/PRJ/board").await.json["items"][0]["subtaskCount"], 1);
    let can = |list: &Value, what: &str| list["can"][what].as_bool().unwrap();
    let list = async |token: &str| world.get_as(token, "/projects/PRJ/items").await.json;
    let (guest, member) = (list(&world.guest.token).await, list(&world.ada.token).await);
    let admin = list(&world.chief.token).await;
    assert!(can(&guest, "comment") && !can(&guest, "edit") && !can(&guest, "transition"), "{guest}");
    assert!(can(&member, "edit") && can(&member, "transition") && !can(&member, "delete"), "{member}");
    assert!(can(&admin, "delete") && can(&admin, "configure"), "{admin}");
    let own = world.get("/items/PRJ-1/page").await.json;
    assert!(can(&own, "delete"), "who created an item may delete it: {own}");
}

//! Filters whose words depend on who asks: people by address, who commented, whose days, old keys.

use http::Method;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use svc_domain::identity::ProjectRole;
use svc_testkit::call;

use crate::world::World;

async fn list(world: &World, token: &str, path: &str, query: &str) -> Value {
    let reply = world.get_as(token, &format!("{path}?{query}")).await;
    assert_eq!(reply.status, 200, "{query}: {}", reply.text);
    reply.json
}

/// Keys of the items of `PRJ` that a filter matches, with no character that must be escaped.
async fn ask(world: &World, token: &str, filter: &str) -> Vec<String> {
    keys(&list(world, token, "/projects/PRJ/items", &format!("sort=key&filter={filter}")).await)
}

fn keys(list: &Value) -> Vec<String> {
    list["items"].as_array().unwrap().iter().map(|item| item["key"].as_str().unwrap().to_owned()).collect()
}

const NONE: [&str; 0] = [];

async fn comment(world: &World, token: &str, key: &str, body: Value) -> Value {
    world.post_as(token, &format!("/items/{key}/comments"), body).await.is(201).json
}

#[tokio::test]
async fn words_of_the_title_are_found_and_no_others() {
    let world = World::new().await;
    let body = json!({"type": "task", "title": "Fix the Login page", "body": "passkey", "labels": ["ui"]});
    world.post("/projects/PRJ/items", body).await;
    world.item("Passkey").await;
    let ada = &world.ada.token;
    assert_eq!(ask(&world, ada, "title:login").await, ["PRJ-1"]);
    assert_eq!(ask(&world, ada, "title:%22page%20fix%22,passkey").await, ["PRJ-1", "PRJ-2"]);
    assert_eq!(ask(&world, ada, "title:ui").await, NONE);
    assert_eq!(ask(&world, ada, "-title:PRJ-1").await, ["PRJ-1", "PRJ-2"], "the key is no title");
}

#[tokio::test]
async fn people_are_found_by_the_addresses_that_who_asks_may_know() {
    let world = World::new().await;
    for assignee in [world.bob.id, world.ada.id] {
        let body = json!({"type": "task", "title": "T", "assignee": assignee.to_string()});
        assert_eq!(world.post("/projects/PRJ/items", body).await.status, 201);
    }
    let filter = "assignee:BOB@example.com";
    assert_eq!(ask(&world, &world.owner, filter).await, ["PRJ-1"]);
    assert_eq!(ask(&world, &world.bob.token, filter).await, ["PRJ-1"], "his own");
    assert_eq!(ask(&world, &world.ada.token, filter).await, NONE, "she may not know it");
    assert_eq!(ask(&world, &world.owner, "creator:ada@example.com").await, ["PRJ-1", "PRJ-2"]);
    let neither = "(claimed:ada@example.com%20OR%20assignee:nobody@example.com)";
    assert_eq!(ask(&world, &world.owner, neither).await, NONE);
}

#[tokio::test]
async fn those_who_commented_are_found_until_their_last_comment_is_deleted() {
    let world = World::new().await;
    for title in ["One", "Two"] {
        world.item(title).await;
    }
    let first = comment(&world, &world.bob.token, "PRJ-1", json!({"body": "a"})).await;
    let second = comment(&world, &world.bob.token, "PRJ-1", json!({"body": "b"})).await;
    let bob = &world.bob.token;
    for filter in ["commented:@me", "commented:bob@example.com", "commented:any", "-commented:none"] {
        assert_eq!(ask(&world, bob, filter).await, ["PRJ-1"], "{filter}");
    }
    assert_eq!(ask(&world, bob, &format!("commented:{}", world.bob.id)).await, ["PRJ-1"]);
    assert_eq!(ask(&world, &world.ada.token, "commented:@me").await, NONE);
    assert_eq!(ask(&world, &world.ada.token, "commented:none").await, ["PRJ-2"]);
    for (comment, left) in [(first, 1), (second, 0)] {
        let path = format!("/orgs/demo/items/PRJ-1/comments/{}", comment["id"].as_str().unwrap());
        assert_eq!(call(&world.router, Method::DELETE, &path, Some(bob), None).await.status, 204);
        assert_eq!(ask(&world, bob, "commented:@me").await.len(), left);
    }
    let report = svc_app::check::run(&world.kit.app, None).await.unwrap();
    let found: Vec<_> = report.findings.iter().filter(|found| found.kind.starts_with("ITEM")).collect();
    assert!(found.is_empty(), "{found:?}");
}

#[tokio::test]
async fn what_agents_say_is_found_by_nobody() {
    let world = World::new().await;
    world.item("One").await;
    let (agent, _, token) = world.kit.agent_token(&world.org, &world.project).await;
    comment(&world, &token, "PRJ-1", json!({"body": "I looked."})).await;
    let filter = format!("commented:{agent}");
    for token in [&world.owner, &world.guest.token] {
        assert_eq!(ask(&world, token, &filter).await, NONE);
        assert_eq!(ask(&world, token, "commented:any").await, NONE);
    }
}

#[tokio::test]
async fn every_kind_of_link_is_found() {
    let world = World::new().await;
    for title in ["One", "Two", "Three", "Four"] {
        world.item(title).await;
    }
    world.post("/items/PRJ-1/links", json!({"type": "relates", "item": "PRJ-2"})).await;
    world.post("/items/PRJ-3/links", json!({"url": "https://code.example/a/b/pull/1"})).await;
    assert_eq!(ask(&world, &world.ada.token, "has:link").await, ["PRJ-1", "PRJ-2", "PRJ-3"]);
    let path = "/items/PRJ-1/links?type=relates&item=PRJ-2";
    world.change_as(&world.ada.token, Method::DELETE, path, Value::Null).await;
    assert_eq!(ask(&world, &world.ada.token, "has:link").await, ["PRJ-3"]);
}

#[tokio::test]
async fn every_page_of_a_pull_request_is_one_link() {
    let world = World::new().await;
    world.item("One").await;
    for page in ["acme/web/pull/7/files", "ACME/Web/pull/7", "acme/web/pull/7#discussion_r1"] {
        for scheme in ["https", "http"] {
            let url = format!("{scheme}://code.example/{page}");
            let linked = world.post("/items/PRJ-1/links", json!({"url": url})).await;
            assert_eq!(
                linked.json["links"],
                json!([{"url": "https://code.example/acme/web/pull/7"}]),
                "{url}"
            );
        }
    }
}

#[tokio::test]
async fn items_of_a_project_are_found_across_projects_and_by_old_keys() {
    let world = World::new().await;
    let web = world.kit.project(&world.org, "WEB").await;
    world.kit.project_member(&world.org, &web, world.ada.id, ProjectRole::Member).await;
    let parent = world.item("Parent").await;
    world.item("Stays").await;
    let moved = json!({"version": parent["version"], "project": "WEB"});
    let moved = world.post("/items/PRJ-1/transfer", moved).await;
    assert_eq!(moved.json["key"], "WEB-1", "{}", moved.text);
    let ada = &world.ada.token;
    let all =
        async |filter: &str| keys(&list(&world, ada, "/items", &format!("sort=key&filter={filter}")).await);
    assert_eq!(all("project:web").await, ["WEB-1"]);
    assert_eq!(all("-project:WEB").await, ["PRJ-2"]);
    assert_eq!(all("project:WEB,PRJ").await, ["PRJ-2", "WEB-1"]);
    assert_eq!(all("project:NOPE").await, NONE);
    let child = json!({"type": "task", "title": "Child", "parent": "PRJ-1"});
    let made = world.post("/projects/WEB/items", child.clone()).await;
    assert_eq!((made.status.as_u16(), &made.json["parent"]), (201, &json!("WEB-1")), "{}", made.text);
    assert_eq!(all("parent:prj-1").await, ["WEB-2"], "the old key leads on");
    let refused = world.post("/projects/PRJ/items", child).await;
    assert!(refused.json["errors"]["parent"].is_array(), "it is in another project: {}", refused.text);
}

#[tokio::test]
async fn days_are_those_of_the_time_zone_that_the_answer_names() {
    let world = World::new().await;
    let at = |time: Timestamp| time.to_zoned(jiff::tz::TimeZone::UTC);
    let late = at(world.kit.now()).start_of_day().unwrap().timestamp() + SignedDuration::from_hours(24 + 23);
    // An hour before midnight in Greenwich it is tomorrow in Kiritimati, and still today in Los Angeles.
    world.kit.advance(late.duration_since(world.kit.now()));
    let tomorrow = at(late + SignedDuration::from_hours(24)).date();
    let body = json!({"type": "task", "title": "T", "due": tomorrow.to_string()});
    assert_eq!(world.post("/projects/PRJ/items", body).await.status, 201);
    let ada = &world.ada.token;
    for (zone, due) in [("Pacific/Kiritimati", 1), ("UTC", 0), ("America/Los_Angeles", 0)] {
        for (filter, expected) in [("due:today", due), ("created:today", 1), ("updated:%3C1d", 1)] {
            let query = format!("filter={filter}&timeZone={zone}");
            let found = list(&world, ada, "/projects/PRJ/items", &query).await;
            assert_eq!((keys(&found).len(), &found["timeZone"]), (expected, &json!(zone)), "{zone} {filter}");
            let counted = list(&world, ada, "/items/counts", &query).await;
            assert_eq!((&counted["total"], &counted["timeZone"]), (&json!(expected), &json!(zone)));
        }
    }
    world.kit.advance(SignedDuration::from_hours(2));
    for (zone, made) in [("UTC", 0), ("America/Los_Angeles", 1), ("Pacific/Kiritimati", 1)] {
        let query = format!("filter=created:today&timeZone={zone}");
        let found = list(&world, ada, "/items", &query).await;
        assert_eq!((keys(&found).len(), &found["timeZone"]), (made, &json!(zone)), "{zone}");
    }
    let plain = list(&world, ada, "/projects/PRJ/items", "filter=due:any&timeZone=europe/berlin").await;
    assert_eq!(plain["timeZone"], Value::Null, "it does not depend on it");
    let unsaid = list(&world, ada, "/projects/PRJ/items", "filter=due:today").await;
    assert_eq!(unsaid["timeZone"], "UTC", "that of the account");
    let wrong = world.get("/projects/PRJ/items?filter=due:today&timeZone=Mars").await;
    assert!(wrong.json["errors"]["timeZone"].is_array(), "{}", wrong.text);
}

#[tokio::test]
async fn a_project_has_room_for_so_many_labels_and_those_that_it_has_stay_free() {
    let world = World::new().await;
    let named = |from: usize| -> Vec<String> { (from..from + 50).map(|n| format!("label {n}")).collect() };
    let make = async |labels: Value| {
        world.post("/projects/PRJ/items", json!({"type": "task", "title": "T", "labels": labels})).await
    };
    for batch in 0..40 {
        let made = make(json!(named(batch * 50))).await;
        assert_eq!(made.status, 201, "{batch}: {}", made.text);
    }
    let one_more = make(json!(["label 1", "another"])).await;
    let said = one_more.json["errors"]["labels"][0].as_str().unwrap_or_default().to_owned();
    assert!(said.contains("at most 2000 different labels"), "{}", one_more.text);
    make(json!(["LABEL 1999"])).await.is(201);
    let change = json!({"version": 1, "addLabels": ["another"]});
    let changed = world.patch("/items/PRJ-41", change).await;
    assert!(changed.json["errors"]["labels"].is_array(), "{}", changed.text);
}

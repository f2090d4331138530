//! Creating, viewing, editing and moving items.

use insta::assert_snapshot;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::world::World;

#[tokio::test]
async fn keys_are_found_whatever_their_case_and_answered_as_they_are() {
    let world = World::new().await;
    world.item("Item").await;
    world.post("/items/Prj-1/comments", json!({"body": "Hello"})).await;
    for path in ["/items/prj-1", "/items/Prj-1", "/projects/prj/items?filter=parent:none"] {
        let seen = world.get(path).await;
        assert_eq!(seen.status, 200, "{path}: {}", seen.text);
        let key = seen.json.pointer("/items/0/key").unwrap_or(&seen.json["key"]);
        assert_eq!(key, "PRJ-1", "{path}");
    }
    assert_eq!(world.get("/items/prj-1/comments").await.json["totalCount"], 1);
    assert_eq!(world.get("/projects/prj").await.json["key"], "PRJ");
    assert_eq!(world.get("/items/prj-01").await.status, 404);
}

#[tokio::test]
async fn a_text_of_the_greatest_length_is_taken_however_it_is_escaped() {
    let world = World::new().await;
    world.item("Item").await;
    let letters = [("😀", r"\ud83d\ude00"), ("a", r"\u0061"), ("語", r"\u8a9e")];
    for (version, (letter, escaped)) in (1..).zip(letters) {
        let body = format!("{{\"version\": {version}, \"body\": \"{}\"}}", escaped.repeat(90_000));
        let request = http::Request::patch("/api/v1/orgs/demo/items/PRJ-1")
            .header("authorization", format!("Bearer {}", world.ada.token))
            .header("content-type", "application/json");
        let reply = svc_testkit::send(&world.router, request.body(body.into()).unwrap()).await;
        assert_eq!(reply.status, 200, "{letter}: {:.200}", reply.text);
        assert_eq!(reply.json["body"], letter.repeat(90_000));
    }
}

#[tokio::test]
async fn an_item_is_created_with_all_its_fields_and_viewed() {
    let world = World::new().await;
    world.item("An epic").await;
    let new = json!({
        "type": "story", "title": " Log in with a key ", "body": "As a user…", "priority": "high",
        "labels": ["ui", "auth", "ui"], "estimate": 2.5, "assignee": "@me", "parent": "PRJ-1",
        "state": "in progress",
    });
    let created = world.post("/projects/PRJ/items", new).await;
    assert_snapshot!(created.snapshot());
    let mut read = world.get("/items/PRJ-2").await.json;
    assert_eq!(read.as_object_mut().unwrap().remove("can").unwrap()["edit"], true);
    assert_eq!(read, created.json);
    assert_eq!(world.history("PRJ-2").await, ["ada created - -→-"]);
}

#[tokio::test]
async fn an_item_is_created_where_and_when_it_is_wanted() {
    let world = World::with_team().await;
    let sprint = world.plan("web", "One").await;
    let new = json!({
        "type": "task", "title": "Renew it", "remaining": 1.5, "blocked": true, "due": "2026-12-31", "sprint": sprint,
    });
    let made = world.post("/projects/PRJ/items", new).await.is(201);
    let item = &made.json;
    assert_eq!((&item["remaining"], &item["blocked"]), (&json!(1.5), &json!(true)));
    assert_eq!((&item["due"], &item["sprint"]), (&json!("2026-12-31"), &json!(sprint)));
    for (wrong, field) in [
        (json!({"due": "2026-02-30"}), None),
        (json!({"due": "1969-12-31"}), Some("due")),
        (json!({"sprint": "One"}), Some("sprint")),
        (json!({"sprint": "01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d"}), Some("sprint")),
        (json!({"remaining": -1}), Some("remaining")),
    ] {
        let mut new = json!({"type": "task", "title": "Wrong"});
        new.as_object_mut().unwrap().extend(wrong.as_object().unwrap().clone());
        let refused = world.post("/projects/PRJ/items", new).await;
        match field {
            Some(field) => assert!(refused.json["errors"][field].is_array(), "{wrong}: {}", refused.text),
            None => assert!(refused.status.is_client_error(), "{wrong}: {}", refused.text),
        }
    }
    let changed = world.patch("/items/PRJ-1", json!({"version": 1, "due": null})).await;
    assert_eq!((changed.status.as_u16(), &changed.json["due"]), (200, &Value::Null), "{}", changed.text);
    assert_eq!(world.history("PRJ-1").await.last().unwrap(), "ada changed due 2026-12-31→-");
}

#[tokio::test]
async fn an_item_is_resolved_until_it_is_taken_up_again() {
    let world = World::new().await;
    let begun = json!({"type": "task", "title": "Done before", "state": "Resolved"});
    let begun = world.post("/projects/PRJ/items", begun).await.json;
    assert_eq!(begun["resolvedAt"], begun["createdAt"]);
    world.item("Other").await;
    world.kit.advance(SignedDuration::from_secs(60));
    world.advance("PRJ-2", &["In progress", "In review", "Resolved"]).await;
    let resolved = world.get("/items/PRJ-2").await.json["resolvedAt"].clone();
    assert_eq!(resolved, world.get("/items/PRJ-2").await.json["updatedAt"]);
    world.kit.advance(SignedDuration::from_secs(60));
    world.advance("PRJ-2", &["Closed"]).await;
    assert_eq!(world.get("/items/PRJ-2").await.json["resolvedAt"], resolved, "closing resolves it no later");
    world.advance("PRJ-2", &["Resolved", "In review"]).await;
    assert_eq!(world.get("/items/PRJ-2").await.json["resolvedAt"], Value::Null);
}

#[tokio::test]
async fn an_edit_changes_what_it_names_and_tells_the_history() {
    let world = World::new().await;
    world.item("Old").await;
    world.kit.advance(SignedDuration::from_secs(60));
    let change = json!({
        "version": 1, "title": "New", "body": "Text", "type": "bug", "priority": "low",
        "labels": ["b", "a"], "estimate": 3, "remaining": 1.5, "assignee": world.bob.id.to_string(),
        "blocked": true,
    });
    let changed = world.patch("/items/PRJ-1", change).await;
    assert_snapshot!(changed.snapshot());
    let mixed = json!({
        "version": 2, "addLabels": ["c"], "removeLabels": ["a"], "estimate": null, "assignee": null,
    });
    let changed = world.patch("/items/PRJ-1", mixed).await.json;
    assert_eq!(changed["labels"], json!(["b", "c"]));
    assert_eq!((&changed["estimate"], &changed["assignee"]), (&Value::Null, &Value::Null));
    assert_eq!(changed["remaining"], 1.5);
    assert_snapshot!(world.history("PRJ-1").await.join("\n"));
    assert_snapshot!(world.get("/items/PRJ-1/history?page=2&pageSize=2").await.snapshot());
}

#[tokio::test]
async fn a_stale_version_is_told_the_current_one() {
    let world = World::new().await;
    world.item("Old").await;
    assert_eq!(world.patch("/items/PRJ-1", json!({"version": 1, "title": "New"})).await.json["version"], 2);
    let stale = world.patch("/items/PRJ-1", json!({"version": 1, "title": "Newer"})).await;
    assert_snapshot!(stale.snapshot());
    for version in [0, 3, u64::MAX] {
        let reply = world.patch("/items/PRJ-1", json!({"version": version, "title": "Newer"})).await;
        assert_eq!(reply.problem(), "stale-version", "{version}");
    }
    assert_eq!(world.get("/items/PRJ-1").await.json["title"], "New");
}

#[tokio::test]
async fn an_edit_that_changes_nothing_writes_nothing() {
    let world = World::new().await;
    let item = world.item("Same").await;
    world.kit.advance(SignedDuration::from_secs(60));
    let same = json!({"version": 1, "title": " Same ", "labels": [], "assignee": null, "blocked": false});
    assert_eq!(world.patch("/items/PRJ-1", same).await.json, item);
    assert_eq!(world.patch("/items/PRJ-1", json!({"version": 1})).await.json, item);
    assert_eq!(world.history("PRJ-1").await.len(), 1);
}

#[tokio::test]
async fn an_assignee_is_a_person_who_sees_the_project() {
    let world = World::new().await;
    world.item("Item").await;
    let assign = |who: String| world.patch("/items/PRJ-1", json!({"version": 1, "assignee": who}));
    for nobody in [world.outsider.id.to_string(), uuid(77), "ada".into(), String::new(), "@you".into()] {
        let refused = assign(nobody.clone()).await;
        assert_eq!(refused.status, 422, "{nobody}");
        assert!(refused.json["errors"]["assignee"].is_array(), "{}", refused.text);
    }
    assert_eq!(assign(world.guest.id.to_string()).await.json["assignee"]["name"], "guest");
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    let new = json!({"type": "task", "title": "Mine", "assignee": "@me"});
    assert_eq!(world.post_as(&agent, "/projects/PRJ/items", new).await.status, 422);
}

fn uuid(n: u128) -> String {
    format!("{n:032x}")
}

#[tokio::test]
async fn parents_are_items_of_the_project_and_never_form_a_circle() {
    let world = World::new().await;
    for title in ["A", "B", "C"] {
        world.item(title).await;
    }
    let put_under = |child: &str, version: u64, parent: &str| {
        let (path, body) = (format!("/items/{child}"), json!({"version": version, "parent": parent}));
        let world = &world;
        async move { world.patch(&path, body).await }
    };
    assert_eq!(put_under("PRJ-2", 1, "PRJ-1").await.json["parent"], "PRJ-1");
    assert_eq!(put_under("PRJ-3", 1, "PRJ-2").await.json["parent"], "PRJ-2");
    for parent in ["PRJ-1", "PRJ-2", "PRJ-3", "PRJ-99", "OTHER-1", "1", ""] {
        let refused = put_under("PRJ-1", 1, parent).await;
        assert_eq!(refused.status, 422, "{parent}");
        assert!(refused.json["errors"]["parent"].is_array(), "{}", refused.text);
    }
    let freed = world.patch("/items/PRJ-2", json!({"version": 2, "parent": null})).await;
    assert_eq!(freed.json["parent"], Value::Null);
    assert_eq!(put_under("PRJ-1", 1, "PRJ-3").await.status, 200, "the way is free now");
}

#[tokio::test]
async fn an_item_moves_along_the_workflow() {
    let world = World::new().await;
    world.item("Item").await;
    let go = |version: u64, state: &str| {
        world.post("/items/PRJ-1/transition", json!({"version": version, "state": state}))
    };
    let moved = go(1, "IN PROGRESS").await;
    assert_eq!((&moved.json["state"], &moved.json["version"]), (&json!("In progress"), &json!(2)));
    assert_eq!(moved.json["stateGroup"], "active");
    assert_snapshot!(go(2, "Closed").await.snapshot());
    assert_eq!(go(2, "Nowhere").await.status, 422);
    assert_eq!(go(1, "Backlog").await.problem(), "stale-version");
    assert_eq!(go(2, "In progress").await.json["version"], 2, "staying is no change");
    assert_eq!(world.history("PRJ-1").await[1..], ["ada transitioned - Backlog→In progress"]);
}

#[tokio::test]
async fn an_agent_never_moves_an_item() {
    let world = World::new().await;
    world.item("Item").await;
    let (_, run, agent) = world.kit.agent_token(&world.org, &world.project).await;
    world.begin_run("PRJ-1", run).await;
    let body = json!({"version": 2, "state": "In progress"});
    assert_snapshot!(world.post_as(&agent, "/items/PRJ-1/transition", body).await.snapshot());
    let edit = json!({"version": 2, "remaining": 1});
    let edited = world.change_as(&agent, http::Method::PATCH, "/items/PRJ-1", edit).await;
    assert_eq!(edited.status, 200, "it may edit: {}", edited.text);
}

//! A project that is taken away as records, and brought in from them.

use serde_json::{Value, json};
use svc_domain::identity::ProjectRole;

use crate::world::World;

const SOURCE: &str = "github:acme/shop";

/// Sends records as the Owner, who has people found by their addresses.
async fn send(world: &World, project: &str, records: Value) -> Value {
    let body = json!({"source": SOURCE, "records": records});
    world.post_as(&world.owner, &format!("/projects/{project}/import"), body).await.is(200).json
}

fn counts(answer: &Value) -> (u64, u64, u64, usize) {
    let count = |field: &str| answer[field].as_u64().unwrap();
    (count("created"), count("unchanged"), count("changed"), answer["skipped"].as_array().unwrap().len())
}

/// What the checker says about the project; the people of these tests are made by halves.
fn wrong(report: &svc_app::check::Report) -> Vec<String> {
    let of_project =
        |kind: &str| ["ITEM", "FEED", "FACTS", "SPRINT", "PROJ"].iter().any(|of| kind.starts_with(of));
    let found =
        report.findings.iter().filter(|found| of_project(&found.kind) && !found.row.contains("MEMBER#"));
    found.map(|found| format!("{}: {}", found.row, found.problem)).collect()
}

/// The reasons of what did not come.
fn reasons(answer: &Value) -> Vec<String> {
    let told = |skipped: &Value| {
        format!("{} {}: {}", skipped["kind"], skipped["id"], skipped["reason"]).replace(['"', '\\'], "")
    };
    answer["skipped"].as_array().unwrap().iter().map(told).collect()
}

/// The records of a project, as this person sees it.
async fn export(world: &World, token: &str, project: &str) -> Vec<Value> {
    let reply = world.get_as(token, &format!("/projects/{project}/export")).await;
    assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "application/x-ndjson"));
    assert_eq!(reply.header("content-disposition"), format!("attachment; filename=\"{project}.ndjson\""));
    reply.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn shop() -> Value {
    json!([
        {"kind": "project", "name": "Shop", "source": SOURCE},
        {"kind": "person", "id": "u1", "name": "Ada at work", "address": "ADA@example.com"},
        {"kind": "person", "id": "u2", "name": "Grace _H_", "address": "grace@example.org"},
        {"kind": "label", "name": "bug", "color": "#d73a4a"},
        {"kind": "milestone", "id": "m1", "name": "Beta", "due": "2026-03-01", "closed": true},
        {"kind": "sprint", "id": "s1", "name": "Spring", "start": "2026-01-01", "end": "2026-01-04", "state": "completed"},
        {"kind": "item", "id": "2", "key": "#2", "title": "Child", "state": "backlog", "type": "subtask", "parent": "1",
         "author": "u2", "assignee": "u2", "createdAt": "2020-01-02T00:00:00Z", "url": "https://github.example/2"},
        {"kind": "item", "id": "1", "key": "#1", "title": "Parent", "body": "Text @bob", "state": "Closed", "type": "story",
         "priority": "high", "labels": ["bug", "ui"], "author": "u1", "assignee": "u1", "estimate": 3.0, "due": "2026-02-01",
         "milestone": "m1", "sprint": "s1", "createdAt": "2020-01-01T00:00:00Z", "updatedAt": "2020-01-05T00:00:00Z",
         "closedAt": "2020-01-04T00:00:00Z"},
        {"kind": "comment", "id": "c2", "item": "1", "author": "u2", "body": "Second @bob", "createdAt": "2020-01-03T00:00:00Z"},
        {"kind": "comment", "id": "c1", "item": "1", "author": "u1", "body": "First", "createdAt": "2020-01-02T00:00:00Z",
         "editedAt": "2020-01-02T01:00:00Z"},
        {"kind": "link", "from": "2", "to": "1", "relation": "relates"},
        {"kind": "attachment", "id": "f1", "item": "1", "name": "a.png", "url": "https://github.example/a.png"},
        {"kind": "attachment", "id": "f2", "item": "1", "comment": "c1", "name": "b.png", "url": "https://github.example/b.png"}
    ])
}

#[tokio::test]
async fn records_come_with_their_times_and_people_and_twice_changes_nothing() {
    let world = World::with_team().await;
    let dry = json!({"source": SOURCE, "dryRun": true, "records": shop()});
    let dry = world.post_as(&world.owner, "/projects/PRJ/import", dry).await.json;
    assert_eq!(counts(&dry), (12, 0, 0, 0), "{dry:#}");
    assert_eq!(world.get("/projects/PRJ/items").await.json["totalCount"], 0);
    let answer = send(&world, "PRJ", shop()).await;
    assert_eq!(counts(&answer), (12, 0, 0, 0), "{answer:#}");
    let key = |id: &str| {
        let items = answer["items"].as_array().unwrap();
        items.iter().find(|item| item["id"] == id).unwrap()["key"].as_str().unwrap().to_owned()
    };
    let parent = world.get(&format!("/items/{}", key("1"))).await.json;
    assert_eq!(parent["createdBy"]["id"], world.ada.id.to_string());
    assert_eq!(parent["assignee"]["id"], world.ada.id.to_string());
    assert_eq!(parent["createdAt"], "2020-01-01T00:00:00Z");
    assert_eq!(
        (&parent["updatedAt"], &parent["resolvedAt"]),
        (&json!("2020-01-05T00:00:00Z"), &json!("2020-01-04T00:00:00Z"))
    );
    assert_eq!(parent["body"], "Text @bob\n\n[a.png](<https://github.example/a.png>)");
    assert_eq!(
        (&parent["state"], &parent["priority"], &parent["estimate"]),
        (&json!("Closed"), &json!("high"), &json!(3.0))
    );
    let child = world.get(&format!("/items/{}", key("2"))).await.json;
    assert_eq!(
        (&child["parent"], &child["type"], &child["assignee"]),
        (&json!(key("1")), &json!("subtask"), &Value::Null)
    );
    assert_eq!(
        child["body"],
        "Originally [\\#2](<https://github.example/2>) by Grace \\_H\\_ on 2020-01-02, assigned to Grace \\_H\\_."
    );
    let talk = world.get(&format!("/items/{}/comments", key("1"))).await.json;
    let said: Vec<_> =
        talk["items"].as_array().unwrap().iter().map(|comment| comment["body"].as_str().unwrap()).collect();
    assert_eq!(
        said,
        [
            "First\n\n[b.png](<https://github.example/b.png>)",
            "Originally by Grace \\_H\\_ on 2020-01-03.\n\nSecond @bob"
        ]
    );
    assert_eq!(talk["items"][0]["author"]["id"], world.ada.id.to_string());
    assert_eq!(talk["items"][0]["createdAt"], "2020-01-02T00:00:00Z");
    let links = world.get(&format!("/items/{}/links", key("1"))).await.json;
    assert_eq!(links["items"][0]["item"], key("2"), "{links}");
    let list = world.get("/projects/PRJ/items?sort=key").await.json;
    assert_eq!(list["totalCount"], 2);
    let found = world.get("/projects/PRJ/items?filter=label:ui%20commented:@me").await;
    assert_eq!(found.json["totalCount"], 1, "{}", found.text);
    let again = send(&world, "PRJ", shop()).await;
    assert_eq!(counts(&again), (0, 12, 0, 0), "{again:#}");
    assert_eq!(again["items"], answer["items"]);
    assert_eq!(world.get("/projects/PRJ/items").await.json["totalCount"], 2);
    let report = svc_app::check::run(&world.kit.app, None).await.unwrap();
    assert_eq!(wrong(&report), Vec::<String>::new());
}

#[tokio::test]
async fn what_was_cut_off_goes_on_where_it_was() {
    let world = World::with_team().await;
    let shop = shop();
    let records = shop.as_array().unwrap();
    // A person, the parent and a comment came.
    send(&world, "PRJ", json!([records[1], records[7], records[9]])).await;
    let whole = send(&world, "PRJ", shop.clone()).await;
    assert_eq!(counts(&whole), (9, 3, 0, 0), "{whole:#}");
    assert_eq!(counts(&send(&world, "PRJ", shop.clone()).await), (0, 12, 0, 0));
    // What people deleted does not come back.
    let key = whole["items"][0]["key"].as_str().unwrap();
    let path = format!("/items/{key}");
    assert_eq!(world.change_as(&world.owner, http::Method::DELETE, &path, Value::Null).await.status, 204);
    assert_eq!(counts(&send(&world, "PRJ", shop).await), (0, 12, 0, 0));
    assert_eq!(world.get("/projects/PRJ/items").await.json["totalCount"], 1);
}

#[tokio::test]
async fn nobody_is_told_and_nothing_begins_by_an_import() {
    let world = World::with_team().await;
    send(&world, "PRJ", shop()).await;
    world.work().await;
    for person in [&world.ada.token, &world.bob.token, &world.owner] {
        let inbox = svc_testkit::call(
            &world.router,
            http::Method::GET,
            "/orgs/demo/items?filter=watching:@me",
            Some(person),
            None,
        )
        .await;
        assert_eq!(inbox.json["totalCount"], 0, "{}", inbox.text);
    }
    let history = world.get("/projects/PRJ/items?sort=key").await.json;
    let key = history["items"][0]["key"].as_str().unwrap().to_owned();
    assert_eq!(world.history(&key).await[0].split(' ').nth(1), Some("created"));
    let rows = world.kit.app.table.scan(1_000, None).await.unwrap().rows;
    let told: Vec<_> = rows
        .iter()
        .filter(|row| row.key.pk.starts_with("INBOX#") || row.key.pk.starts_with("SEND#"))
        .collect();
    assert!(told.is_empty(), "{told:?}");
}

#[tokio::test]
async fn an_export_brought_into_an_empty_project_is_exported_the_same() {
    let world = World::with_team().await;
    send(&world, "PRJ", shop()).await;
    let new = world.kit.project(&world.org, "NEW").await;
    for person in [&world.ada, &world.bob, &world.chief] {
        world.kit.project_member(&world.org, &new, person.id, ProjectRole::Member).await;
    }
    let team = json!({"key": "new", "name": "New", "members": []});
    assert_eq!(world.post_as(&world.owner, "/projects/NEW/teams", team).await.status, 201);
    let before = export(&world, &world.owner, "PRJ").await;
    let body = json!({"source": before[0]["source"], "records": before});
    let reply = world.post_as(&world.owner, "/projects/NEW/import", body).await;
    assert_eq!(reply.json["skipped"], json!([]), "{}", reply.text);
    let after = export(&world, &world.owner, "NEW").await;
    let plain = |records: &[Value]| {
        let mut text = serde_json::to_string(records).unwrap();
        // Ids are given anew: each is named by the place at which it comes first.
        let mut ids = Vec::new();
        for record in records {
            for field in ["id", "item", "from", "to"] {
                if let Some(id) = record[field].as_str().filter(|id| !ids.contains(&(*id).to_owned())) {
                    ids.push(id.to_owned());
                }
            }
        }
        for (at, id) in ids.iter().enumerate() {
            text = text.replace(&format!("\"{id}\""), &format!("\"#{at}\""));
        }
        let mut records: Vec<Value> = serde_json::from_str(&text).unwrap();
        records.remove(0);
        records
    };
    assert_eq!(plain(&before), plain(&after));
    assert_eq!(before[0]["states"], after[0]["states"]);
}

#[tokio::test]
async fn what_cannot_come_is_told_and_keeps_nothing_else_from_coming() {
    let world = World::with_team().await;
    let item = |id: &str, more: Value| {
        let mut item = json!({"kind": "item", "id": id, "title": id, "state": "Backlog", "createdAt": "2020-01-01T00:00:00Z"});
        item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        item
    };
    let answer = send(&world, "PRJ", json!([
        item("good", json!({})),
        item("good", json!({})),
        item("", json!({})),
        item("state", json!({"state": "Nowhere"})),
        item("a", json!({"parent": "b"})),
        item("b", json!({"parent": "a"})),
        item("orphan", json!({"parent": "nobody", "milestone": "none", "sprint": "none", "author": "x"})),
        item("odd", json!({"title": "a\u{202e}b\u{0}", "body": "\u{0}x"})),
        {"kind": "person", "id": "p", "name": "\u{202e}\u{0}"},
        {"kind": "label", "name": "a,b"},
        {"kind": "milestone", "id": "m", "name": "a\u{202e}b"},
        {"kind": "comment", "id": "c", "item": "nothing", "body": "x", "createdAt": "2020-01-01T00:00:00Z"},
        {"kind": "comment", "id": "d", "item": "good", "body": " ", "createdAt": "2020-01-01T00:00:00Z"},
        {"kind": "link", "from": "good", "to": "nothing", "relation": "blocks"},
        {"kind": "link", "from": "good", "to": "good", "relation": "blocks"},
        {"kind": "attachment", "id": "f", "item": "good", "name": "x", "url": "javascript:alert(1)"},
        {"kind": "attachment", "id": "g", "item": "good", "name": "x", "file": "files/x"},
    ])).await;
    insta::assert_snapshot!(reasons(&answer).join("\n"));
    assert_eq!(counts(&answer).0, 6, "five items and a person: {answer:#}");
    let report = svc_app::check::run(&world.kit.app, None).await.unwrap();
    assert_eq!(wrong(&report), Vec::<String>::new());
}

#[tokio::test]
async fn only_admins_of_the_project_import_and_who_sees_no_addresses_finds_nobody_by_them() {
    let world = World::new().await;
    let body = json!({"source": SOURCE, "records": shop()});
    for (token, status) in [(&world.ada.token, 403), (&world.guest.token, 403), (&world.outsider.token, 404)]
    {
        assert_eq!(world.post_as(token, "/projects/PRJ/import", body.clone()).await.status, status);
    }
    let reply = world.post_as(&world.chief.token, "/projects/PRJ/import", body).await.is(200);
    let key = reply.json["items"][1]["key"].as_str().unwrap().to_owned();
    let item = world.get(&format!("/items/{key}")).await.json;
    assert_eq!(item["createdBy"]["id"], world.chief.id.to_string());
    assert!(item["body"].as_str().unwrap().starts_with("Originally by Ada at work on 2020-01-01"), "{item}");
    let addresses = async |token: &str| {
        let records = export(&world, token, "PRJ").await;
        records.iter().filter(|record| record.get("address").is_some()).count()
    };
    assert_eq!(addresses(&world.ada.token).await, 0);
    assert_eq!(addresses(&world.chief.token).await, 1, "one's own");
    assert!(addresses(&world.owner).await >= 1);
    assert_eq!(world.get_as(&world.outsider.token, "/projects/PRJ/export").await.status, 404);
    let body = json!({"source": SOURCE, "records": [{"kind": "epic", "id": "1"}, {"kind": "item", "id": "1", "title": "x",
                      "state": "Backlog", "type": "wish", "createdAt": "2020-01-01T00:00:00Z"}]});
    let reply = world.post_as(&world.owner, "/projects/PRJ/import", body).await;
    let fields: Vec<&String> = reply.json["errors"].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["records.0.kind", "records.1.type"], "{}", reply.text);
    let many: Vec<Value> = (0..201).map(|n| json!({"kind": "label", "name": format!("l{n}")})).collect();
    let body = json!({"source": "", "records": many});
    assert_eq!(world.post_as(&world.owner, "/projects/PRJ/import", body).await.status, 422);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_records_at_the_same_time_come_once() {
    let world = World::with_team().await;
    let mut records: Vec<Value> = (0..60)
        .map(|n| {
            json!({"kind": "item", "id": n.to_string(), "title": format!("Item {n}"), "state": "Backlog",
                        "parent": (n > 0).then(|| (n / 7).to_string()), "createdAt": "2020-01-01T00:00:00Z"})
        })
        .collect();
    records.extend((0..60).map(|n| {
        json!({"kind": "comment", "id": n.to_string(), "item": (n % 3).to_string(), "body": "x", "createdAt": "2020-01-01T00:00:00Z"})
    }));
    let body = json!({"source": SOURCE, "records": records});
    let ask = |router| {
        svc_testkit::call(
            router,
            http::Method::POST,
            "/orgs/demo/projects/PRJ/import",
            Some(&world.owner),
            Some(body.clone()),
        )
    };
    let (one, other) = futures::join!(ask(&world.router), ask(&world.elsewhere));
    assert_eq!((one.status.as_u16(), other.status.as_u16()), (200, 200), "{} {}", one.text, other.text);
    let created = counts(&one.json).0 + counts(&other.json).0;
    assert_eq!(created, 120, "{} {}", one.text, other.text);
    assert_eq!(world.get("/projects/PRJ/items").await.json["totalCount"], 60);
    let first = one.json["items"][0]["key"].as_str().unwrap();
    let talk = world.get(&format!("/items/{first}/comments?pageSize=1")).await;
    assert_eq!(talk.json["totalCount"], 20, "{}", talk.text);
    let report = svc_app::check::run(&world.kit.app, None).await.unwrap();
    assert_eq!(wrong(&report), Vec::<String>::new());
}

/// Two thousand letters of four bytes in each of many: more than one commit holds.
#[tokio::test]
async fn long_texts_come_in_more_than_one_commit() {
    let world = World::with_team().await;
    let long = "𝕏".repeat(90_000);
    let records: Vec<Value> = (0..5)
        .map(|n| json!({"kind": "item", "id": n.to_string(), "title": "Long", "state": "Backlog", "body": long, "createdAt": "2020-01-01T00:00:00Z"}))
        .collect();
    let answer = send(&world, "PRJ", json!(records)).await;
    assert_eq!(counts(&answer), (5, 0, 0, 0), "{:?}", reasons(&answer));
    let worse: Vec<Value> = (5..7)
        .map(|n| json!({"kind": "item", "id": n.to_string(), "title": "Long", "state": "Backlog", "body": "\u{1}".repeat(100_000), "createdAt": "2020-01-01T00:00:00Z"}))
        .collect();
    let answer = send(&world, "PRJ", json!(worse)).await;
    assert_eq!(counts(&answer), (0, 0, 0, 2), "{:?}", reasons(&answer));
}

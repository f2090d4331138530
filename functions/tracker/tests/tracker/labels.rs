//! Labels and states of a project that are renamed, merged and removed under the items that have them.

use http::Method;
use serde_json::{Value, json};
use svc_storage::keys;
use svc_testkit::{Reply, call};

use crate::world::{AREAS, World};

const LABELS: &str = "/projects/PRJ/labels";

async fn label(world: &World, method: Method, name: &str, body: Value) -> Reply {
    let path = format!("/orgs/demo{LABELS}{name}");
    let body = (!body.is_null()).then_some(body);
    call(&world.router, method, &path, Some(&world.chief.token), body).await
}

async fn labelled(world: &World, count: usize, labels: &[&str]) {
    for n in 0..count {
        let new = json!({"type": "task", "title": format!("Item {n}"), "labels": labels});
        assert_eq!(world.post("/projects/PRJ/items", new).await.status, 201);
    }
}

async fn total(world: &World, filter: &str) -> u64 {
    let list = world.get(&format!("/projects/PRJ/items?filter={filter}")).await.json;
    list["totalCount"].as_u64().unwrap_or_else(|| panic!("{list}"))
}

/// The list as `name color items version`.
async fn listed(world: &World) -> Vec<String> {
    let list = world.get(LABELS).await.json;
    let line = |l: &Value| {
        let text = |name: &str| l[name].as_str().unwrap().to_owned();
        format!("{} {} {} {}", text("name"), text("color"), l["items"], l["version"])
    };
    list.as_array().unwrap().iter().map(line).collect()
}

#[tokio::test]
async fn labels_are_in_the_order_in_which_people_count() {
    let world = World::new().await;
    labelled(&world, 1, &["v10", "v2", "Ärger", "zoo", "bug"]).await;
    assert_eq!(label(&world, Method::POST, "", json!({"name": "V3"})).await.status, 201);
    let list = world.get(LABELS).await.json;
    let names: Vec<&str> =
        list.as_array().unwrap().iter().filter_map(|label| label["name"].as_str()).collect();
    assert_eq!(names, ["Ärger", "bug", "v2", "V3", "v10", "zoo"]);
}

#[tokio::test]
async fn a_label_is_one_however_its_letters_are_written() {
    let world = World::new().await;
    labelled(&world, 1, &["a\u{308}rger", "Ärger", "bug", "Bug"]).await;
    assert_eq!(world.get("/items/PRJ-1").await.json["labels"], json!(["bug", "ärger"]));
    for filter in ["label:%C3%A4rger", "label:A%CC%88RGER"] {
        assert_eq!(total(&world, filter).await, 1, "{filter}");
    }
    let change = json!({"version": 1, "removeLabels": ["BUG"]});
    assert_eq!(world.patch("/items/PRJ-1", change).await.json["labels"], json!(["ärger"]));
    let define = |name: &'static str| label(&world, Method::POST, "", json!({"name": name}));
    assert_eq!(define("A\u{308}rger").await.json["name"], "Ärger");
    assert_eq!(define("ärger").await.problem(), "already-exists");
    for unseen in ["\u{200b}", "a\u{200b}", ".."] {
        assert_eq!(define(unseen).await.status, 422, "{unseen:?}");
    }
    let renamed = json!({"version": 1, "name": "Zorn"});
    assert_eq!(label(&world, Method::PATCH, "/a%CC%88rger", renamed).await.json["items"], 1);
    assert_eq!(world.get("/items/PRJ-1").await.json["labels"], json!(["Zorn"]));
}

#[tokio::test]
async fn labels_are_defined_listed_with_their_use_and_changed() {
    let world = World::new().await;
    labelled(&world, 2, &["Bug", "ui"]).await;
    let new = json!({"name": "bug", "color": "#d73a4a", "description": "Something broken"});
    let created = label(&world, Method::POST, "", new.clone()).await;
    assert_eq!((created.status.as_u16(), &created.json["items"]), (201, &json!(2)), "{}", created.text);
    assert_eq!(label(&world, Method::POST, "", new).await.problem(), "already-exists");
    assert_eq!(listed(&world).await, ["bug #d73a4a 2 1", "ui #6b7280 2 0"]);
    let change = json!({"version": 1, "color": "#000000"});
    assert_eq!(label(&world, Method::PATCH, "/BUG", change.clone()).await.json["color"], "#000000");
    assert_eq!(label(&world, Method::PATCH, "/bug", change).await.json["currentVersion"], 2);
    for body in [json!({"name": "two,words"}), json!({"name": "x", "color": "red"}), json!({"name": ""})] {
        assert_eq!(
            label(&world, Method::POST, "", body.clone()).await.problem(),
            "validation-failed",
            "{body}"
        );
    }
    let nowhere = label(&world, Method::PATCH, "/nowhere", json!({"version": 0, "name": "x"})).await;
    assert_eq!(nowhere.problem(), "not-found");
}

#[tokio::test]
async fn a_renamed_label_is_renamed_on_every_item_and_in_its_history() {
    let world = World::new().await;
    labelled(&world, 3, &["bug", "ui"]).await;
    label(&world, Method::POST, "", json!({"name": "bug"})).await;
    let renamed = label(&world, Method::PATCH, "/bug", json!({"version": 1, "name": "defect"})).await;
    assert_eq!(
        (&renamed.json["name"], &renamed.json["items"]),
        (&json!("defect"), &json!(3)),
        "{}",
        renamed.text
    );
    assert_eq!(listed(&world).await, ["defect #6b7280 3 1", "ui #6b7280 3 0"]);
    assert_eq!((total(&world, "label:bug").await, total(&world, "label:defect").await), (0, 3));
    assert_eq!(world.history("PRJ-2").await[1..], ["chief changed labels bug, ui→defect, ui"]);
    assert_eq!(world.get("/items/PRJ-2").await.json["version"], 2);

    let onto = |merge: bool| json!({"version": 1, "name": "ui", "merge": merge});
    let taken = label(&world, Method::PATCH, "/defect", onto(false)).await;
    assert_eq!(taken.problem(), "already-exists", "items carry it: {}", taken.text);
    assert_eq!(label(&world, Method::PATCH, "/defect", onto(true)).await.status, 200);
    assert_eq!(listed(&world).await, ["ui #6b7280 3 1"]);
}

#[tokio::test]
async fn labels_that_nobody_defined_are_merged_only_when_asked() {
    let world = World::new().await;
    labelled(&world, 1, &["bug"]).await;
    labelled(&world, 1, &["defect"]).await;
    let merge = |merge: bool| json!({"version": 0, "name": "DEFECT", "merge": merge});
    let refused = label(&world, Method::PATCH, "/bug", merge(false)).await;
    assert_eq!(refused.problem(), "already-exists", "{}", refused.text);
    assert_eq!((total(&world, "label:bug").await, total(&world, "label:defect").await), (1, 1));
    assert_eq!(label(&world, Method::PATCH, "/bug", merge(true)).await.status, 200);
    assert_eq!((total(&world, "label:bug").await, total(&world, "label:defect").await), (0, 2));
    // Written otherwise, it is the same label.
    let case = json!({"version": 1, "name": "Defect"});
    assert_eq!(label(&world, Method::PATCH, "/defect", case).await.status, 200);
}

#[tokio::test]
async fn a_label_that_is_put_on_again_stays() {
    for body in [Value::Null, json!({"version": 0, "name": "ui", "merge": true})] {
        let world = World::new().await;
        labelled(&world, 2, &["bug"]).await;
        labelled(&world, 1, &["ui"]).await;
        let method = if body.is_null() { Method::DELETE } else { Method::PATCH };
        assert!(label(&world, method, "/bug", body).await.status.is_success());
        world.kit.advance(jiff::SignedDuration::from_secs(1));
        world.patch("/items/PRJ-1", json!({"version": 2, "addLabels": ["bug"]})).await.is(200);
        labelled(&world, 1, &["Bug"]).await;
        world.patch("/items/PRJ-1", json!({"version": 3, "title": "Changed"})).await;
        world.kit.advance(jiff::SignedDuration::from_secs(60));
        world.work().await;
        assert_eq!(total(&world, "label:bug").await, 2);
    }
}

#[tokio::test]
async fn labels_are_merged_when_asked_and_deleted_from_every_item() {
    let world = World::new().await;
    labelled(&world, 1, &["bug", "defect"]).await;
    labelled(&world, 1, &["bug"]).await;
    for name in ["bug", "defect"] {
        label(&world, Method::POST, "", json!({"name": name, "color": "#111111"})).await;
    }
    let merge = |merge: bool| json!({"version": 1, "name": "defect", "merge": merge});
    assert_eq!(label(&world, Method::PATCH, "/bug", merge(false)).await.problem(), "already-exists");
    assert_eq!(label(&world, Method::PATCH, "/bug", merge(true)).await.status, 200);
    assert_eq!(listed(&world).await, ["defect #111111 2 1"]);
    assert_eq!(label(&world, Method::DELETE, "/Defect", Value::Null).await.status, 204);
    assert_eq!(listed(&world).await, Vec::<String>::new());
    assert_eq!(world.get("/items/PRJ-1").await.json["labels"], json!([]));
    assert_eq!(label(&world, Method::DELETE, "/defect", Value::Null).await.status, 404);
}

#[tokio::test]
async fn a_large_project_is_renamed_to_the_last_item_by_workers() {
    let world = World::new().await;
    labelled(&world, 230, &["old"]).await;
    let renamed = label(&world, Method::PATCH, "/old", json!({"version": 0, "name": "new"})).await;
    assert_eq!((renamed.status.as_u16(), &renamed.json["items"]), (200, &json!(200)), "{}", renamed.text);
    assert_eq!(total(&world, "label:old").await, 30, "the rest is left to a worker");
    world.work().await;
    assert_eq!((total(&world, "label:old").await, total(&world, "label:new").await), (0, 230));

    // Then it is over: the name is free for something else.
    world.kit.advance(jiff::SignedDuration::from_secs(61));
    world.work().await;
    assert_eq!(total(&world, "label:new").await, 230);
    assert_eq!(listed(&world).await, ["new #6b7280 230 1"]);
}

#[tokio::test]
async fn an_item_that_is_edited_before_its_turn_is_renamed_all_the_same() {
    let world = World::new().await;
    labelled(&world, 230, &["old"]).await;
    label(&world, Method::PATCH, "/old", json!({"version": 0, "name": "new"})).await;
    world.kit.advance(jiff::SignedDuration::from_secs(1));
    let left = world.get("/projects/PRJ/items?filter=label:old&pageSize=2").await.json;
    let key = |n: usize| left["items"][n]["key"].as_str().unwrap().to_owned();
    for (n, body) in [json!({"version": 1, "title": "Changed"}), json!({"version": 1, "addLabels": ["ui"]})]
        .into_iter()
        .enumerate()
    {
        assert_eq!(world.patch(&format!("/items/{}", key(n)), body).await.status, 200);
    }
    world.work().await;
    assert_eq!((total(&world, "label:old").await, total(&world, "label:new").await), (0, 230));
}

#[tokio::test]
async fn items_and_playbooks_follow_a_state_that_is_renamed_or_removed() {
    let world = World::new().await;
    for title in ["One", "Two"] {
        world.item(title).await;
    }
    world.post("/items/PRJ-2/transition", json!({"version": 1, "state": "In progress"})).await;
    let body = |moves: Value| {
        json!({
            "version": 1,
            "states": [{"name": "Todo", "group": "backlog"}, {"name": "Done", "group": "closed"}],
            "moves": [{"from": "Todo", "to": "Done"}],
            "moveItems": moves,
        })
    };
    let put = async |moves: Value| {
        let path = "/orgs/demo/projects/PRJ/workflow";
        call(&world.router, Method::PUT, path, Some(&world.chief.token), Some(body(moves))).await
    };
    let refused = put(json!([{"from": "Backlog", "to": "Todo"}])).await;
    assert!(
        refused.json["errors"]["states"][0].as_str().unwrap().contains("In progress"),
        "{}",
        refused.text
    );
    let unknown = put(json!([{"from": "Backlog", "to": "Doing"}])).await;
    assert!(unknown.json["errors"]["moveItems"].is_array(), "{}", unknown.text);
    let set = put(json!([{"from": "backlog", "to": "Todo"}, {"from": "In progress", "to": "todo"}])).await;
    assert_eq!((set.status.as_u16(), &set.json["version"]), (200, &json!(2)), "{}", set.text);
    assert_eq!((total(&world, "state:Todo").await, total(&world, "state:backlog").await), (2, 2));
    assert_eq!(world.history("PRJ-2").await[2..], ["chief transitioned - In progress→Todo"]);
}

#[tokio::test]
async fn ticket_templates_follow_a_label_that_is_renamed_or_removed() {
    let world = World::new().await;
    let new = json!({"name": "Incident", "type": "bug", "labels": ["Bug", "ops"]});
    world.post_as(&world.chief.token, "/projects/PRJ/templates", new).await;
    labelled(&world, 1, &["bug"]).await;
    let of_template = async || {
        let list = world.get("/projects/PRJ/templates").await.json;
        (list[2]["labels"].clone(), list[2]["version"].clone())
    };
    label(&world, Method::PATCH, "/bug", json!({"version": 0, "name": "defect"})).await;
    assert_eq!(of_template().await, (json!(["defect", "ops"]), json!(2)));
    label(&world, Method::DELETE, "/defect", Value::Null).await;
    assert_eq!(of_template().await, (json!(["ops"]), json!(3)));
    let new = json!({"type": "bug", "title": "From it", "template": "Incident"});
    assert_eq!(world.post("/projects/PRJ/items", new).await.json["labels"], json!(["ops"]));
}

#[tokio::test]
async fn a_template_that_is_saved_while_its_label_goes_follows_it_too() {
    let world = World::new().await;
    labelled(&world, 1, &["bug"]).await;
    let (kit, gate) = world.kit.beside().gated();
    let router = kit.router(&AREAS);
    let key = keys::templates(world.org.id, &world.project.key);
    let renaming = |from: &str, body: Value| {
        let (method, path) = (if body.is_null() { Method::DELETE } else { Method::PATCH }, from.to_owned());
        let (router, token) = (router.clone(), world.chief.token.clone());
        let body = (!body.is_null()).then_some(body);
        async move { call(&router, method, &format!("/orgs/demo{LABELS}/{path}"), Some(&token), body).await }
    };
    let save = async |name: &str, label: &str| {
        let new = json!({"name": name, "type": "bug", "labels": [label]});
        world.post_as(&world.chief.token, "/projects/PRJ/templates", new).await
    };
    let labels = async |n: usize| world.get("/projects/PRJ/templates").await.json[n]["labels"].clone();

    let rename = renaming("bug", json!({"version": 0, "name": "defect"}));
    // The first template makes the row that templates are in; the second changes it.
    let (renamed, _) = gate.meanwhile(key.clone(), rename, save("Incident", "bug")).await;
    assert_eq!((renamed.status.as_u16(), labels(2).await), (200, json!(["defect"])), "{}", renamed.text);
    let delete = renaming("defect", Value::Null);
    let (deleted, _) = gate.meanwhile(key, delete, save("Outage", "defect")).await;
    assert_eq!((deleted.status.as_u16(), labels(3).await), (204, json!([])), "{}", deleted.text);
    assert_eq!(labels(2).await, json!([]));
}

#[tokio::test]
async fn a_state_that_is_made_anew_keeps_its_items() {
    let world = World::new().await;
    world.item("One").await;
    let put = async |version: u64, first: &str, moves: Value| {
        let body = json!({
            "version": version, "states": [{"name": first, "group": "backlog"}], "moves": [], "moveItems": moves,
        });
        let path = "/projects/PRJ/workflow";
        world.change_as(&world.chief.token, Method::PUT, path, body).await.is(200);
    };
    put(1, "Todo", json!([{"from": "Backlog", "to": "Todo"}])).await;
    put(2, "Backlog", json!([{"from": "Todo", "to": "Backlog"}])).await;
    world.kit.advance(jiff::SignedDuration::from_secs(61));
    world.work().await;
    assert_eq!(world.get("/items/PRJ-1").await.json["state"], "Backlog");
    assert_eq!(world.history("PRJ-1").await.len(), 3);
}

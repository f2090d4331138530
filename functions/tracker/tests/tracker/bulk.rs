//! One change of many items.

use serde_json::{Value, json};

use crate::world::World;

const PATH: &str = "/projects/PRJ/items/bulk";

/// The outcomes as `key version` or `key problem`.
fn outcomes(reply: &Value) -> Vec<String> {
    let line = |outcome: &Value| {
        let key = outcome["key"].as_str().unwrap();
        match outcome["problem"]["type"].as_str() {
            Some(problem) => format!("{key} {problem}"),
            None => format!("{key} {}", outcome["item"]["version"]),
        }
    };
    reply["results"].as_array().unwrap_or_else(|| panic!("{reply}")).iter().map(line).collect()
}

#[tokio::test]
async fn each_item_is_changed_or_refused_by_itself() {
    let world = World::new().await;
    for title in ["One", "Two", "Three"] {
        world.item(title).await;
    }
    world.patch("/items/PRJ-2", json!({"version": 1, "title": "Other"})).await;
    let items = json!([
        {"key": "PRJ-3", "version": 1}, {"key": "PRJ-2", "version": 1}, {"key": "PRJ-1", "version": 1},
        {"key": "PRJ-99", "version": 1}, {"key": "OTHER-1", "version": 1}, {"key": "x", "version": 1},
    ]);
    let change =
        json!({"items": items, "change": {"priority": "high", "addLabels": ["x"], "assignee": "@me"}});
    let changed = world.post(PATH, change).await.json;
    let expected =
        ["PRJ-3 2", "PRJ-2 stale-version", "PRJ-1 2", "PRJ-99 not-found", "OTHER-1 not-found", "x not-found"];
    assert_eq!(outcomes(&changed), expected);
    assert_eq!(changed["results"][1]["problem"]["currentVersion"], 2);
    assert_eq!(changed["results"][0]["item"]["labels"], json!(["x"]));
    assert_eq!(world.get("/items/PRJ-2").await.json["priority"], "medium", "what is refused stays as it is");
    assert_eq!(world.history("PRJ-1").await.len(), 4);

    let both = json!([{"key": "PRJ-1", "version": 2}, {"key": "PRJ-2", "version": 2}]);
    let moved = world.post(PATH, json!({"items": both, "state": "In progress"})).await.json;
    assert_eq!(outcomes(&moved), ["PRJ-1 3", "PRJ-2 3"]);
    let both = json!([{"key": "PRJ-1", "version": 3}, {"key": "PRJ-3", "version": 2}]);
    let moved = world.post(PATH, json!({"items": both, "state": "In review"})).await.json;
    assert_eq!(outcomes(&moved), ["PRJ-1 4", "PRJ-3 move-not-permitted"]);
}

#[tokio::test]
async fn a_request_that_makes_no_sense_changes_nothing() {
    let world = World::new().await;
    world.item("One").await;
    let item = json!({"key": "PRJ-1", "version": 1});
    for body in [
        json!({"items": [], "state": "Closed"}),
        json!({"items": [item]}),
        json!({"items": [item], "state": "In progress", "change": {"priority": "low"}}),
        json!({"items": [item, item], "state": "In progress"}),
        json!({"items": vec![item.clone(); 101], "state": "In progress"}),
        json!({"items": [item], "change": {"priority": "urgent"}}),
        json!({"items": [item], "change": {"title": "The same for all"}}),
    ] {
        let refused = world.post(PATH, body.clone()).await;
        assert_eq!(refused.problem(), "validation-failed", "{body}: {}", refused.text);
    }
    assert_eq!(world.get("/items/PRJ-1").await.json["version"], 1);
}

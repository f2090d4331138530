//! Texts as HTML: previews, and boxes that can be ticked.

use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn a_preview_is_what_the_item_will_show() {
    let world = World::new().await;
    let body = "# Plan\n\n- [ ] PRJ-1\n- [x] @ada\n";
    let preview = world.post("/render", json!({"body": body})).await.is(200);
    world.post("/projects/PRJ/items", json!({"type": "task", "title": "X", "body": body})).await;
    let item = world.get("/items/PRJ-1?render=html").await.json;
    assert_eq!(preview.json["html"], item["html"]);
    let html = preview.json["html"].as_str().unwrap();
    for part in ["<h1 id=\"section-plan\">", "data-task=\"0\"", "/o/demo/p/PRJ/items/PRJ-1"] {
        assert!(html.contains(part), "{part}: {html}");
    }
    let long = world.post("/render", json!({"body": "x".repeat(100_001)})).await;
    assert!(long.json["errors"]["body"].is_array(), "{}", long.text);
    let theirs = world.post_as(&world.outsider.token, "/render", json!({"body": "PRJ-1"})).await;
    assert!(!theirs.text.contains("/items/"), "who does not see the project gets no link: {}", theirs.text);
}

#[tokio::test]
async fn a_box_is_ticked_under_the_version() {
    let world = World::new().await;
    let body = "- [ ] one\n- [ ] two\n";
    world.post("/projects/PRJ/items", json!({"type": "task", "title": "X", "body": body})).await;
    let ticked = world.post("/items/PRJ-1/tasks/1", json!({"version": 1, "done": true})).await.json;
    assert_eq!((&ticked["body"], &ticked["version"]), (&json!("- [ ] one\n- [x] two\n"), &json!(2)));
    let stale = world.post("/items/PRJ-1/tasks/0", json!({"version": 1, "done": true})).await;
    assert_eq!(stale.problem(), "stale-version");
    let again = world.post("/items/PRJ-1/tasks/1", json!({"version": 2, "done": true})).await.json;
    assert_eq!(again["version"], 2, "it is so already");
    assert_eq!(
        world.post("/items/PRJ-1/tasks/2", json!({"version": 2, "done": true})).await.problem(),
        "not-found"
    );
    assert_eq!(
        world.post("/items/PRJ-1/tasks/x", json!({"version": 2, "done": true})).await.problem(),
        "not-found"
    );
    let guest =
        world.post_as(&world.guest.token, "/items/PRJ-1/tasks/0", json!({"version": 2, "done": true})).await;
    assert_eq!(guest.problem(), "forbidden");
}

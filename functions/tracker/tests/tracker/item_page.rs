//! All that a page about an item shows, in one answer.

use http::Method;
use serde_json::{Value, json};

use crate::world::World;

fn names(states: &Value) -> Vec<&str> {
    states.as_array().unwrap().iter().map(|state| state["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn an_item_comes_with_all_around_it() {
    let world = World::new().await;
    let body = json!({"type": "story", "title": "One", "body": "**Bold**"});
    world.post("/projects/PRJ/items", body).await;
    world.post("/items/PRJ-1/comments", json!({"body": "*Mine*"})).await;
    world.post_as(&world.bob.token, "/items/PRJ-1/comments", json!({"body": "Theirs"})).await;
    world.post("/items/PRJ-1/subtasks", json!({"title": "Part"})).await;
    world.change_as(&world.ada.token, Method::PUT, "/items/PRJ-1/watch", json!({})).await;
    let other = world.item("Other").await["key"].clone();
    world.post("/items/PRJ-1/links", json!({"type": "relates", "item": other})).await;
    let page = world.get("/items/PRJ-1/page?render=html").await.is(200);
    let page = page.json;
    assert_eq!(page["item"], world.get("/items/PRJ-1?render=html").await.json);
    assert_eq!(page["comments"], world.get("/items/PRJ-1/comments?render=html&pageSize=100").await.json);
    assert_eq!(page["history"], world.get("/items/PRJ-1/history").await.json);
    assert_eq!(page["subtasks"], world.get("/items/PRJ-1/subtasks?pageSize=100").await.json);
    assert_eq!(page["links"], world.get("/items/PRJ-1/links").await.json["items"]);
    assert_eq!(page["links"][0]["item"], other);
    assert_eq!(page["watchers"], world.get("/items/PRJ-1/watchers").await.json);
    assert_eq!((&page["runs"]["totalCount"], names(&page["moves"])), (&json!(0), vec!["In progress"]));
    let can = json!({
        "edit": true, "comment": true, "start": false, "transition": true, "delete": true, "configure": false,
    });
    assert_eq!(page["can"], can, "who created an item may delete it");
    let rights = |page: &Value| -> Vec<(Value, Value)> {
        let comments = page["comments"]["items"].as_array().unwrap();
        comments.iter().map(|comment| (comment["canEdit"].clone(), comment["canDelete"].clone())).collect()
    };
    let (yes, no) = (json!(true), json!(false));
    assert_eq!(rights(&page), [(yes.clone(), yes.clone()), (no.clone(), no.clone())]);
    let chiefs = world.get_as(&world.chief.token, "/items/PRJ-1/page").await.json;
    assert_eq!(rights(&chiefs), [(no.clone(), yes.clone()), (no.clone(), yes)]);
    let guests = world.get_as(&world.guest.token, "/items/PRJ-1/page").await.json;
    assert_eq!((names(&guests["moves"]), &guests["can"]["edit"]), (vec![], &no), "a Guest moves nothing");
    assert_eq!(world.get_as(&world.outsider.token, "/items/PRJ-1/page").await.problem(), "not-found");
    assert_eq!(world.get("/items/PRJ-9/page").await.problem(), "not-found");
}

#[tokio::test]
async fn states_keep_how_they_are_shown_until_it_is_taken_away() {
    let world = World::new().await;
    let set = async |version: u64, first: Value| {
        let states = json!([first, {"name": "In progress", "group": "active"}]);
        let moves = json!([{"from": "Backlog", "to": "In progress"}]);
        let set = json!({"version": version, "states": states, "moves": moves});
        world.change_as(&world.chief.token, Method::PUT, "/projects/PRJ/workflow", set).await
    };
    let shown = json!({"id": "backlog", "name": "Backlog", "group": "backlog", "wipLimit": 5, "color": "#0e8a16", "description": "New"});
    assert_eq!(set(1, shown.clone()).await.json["states"][0], shown);
    let plain = json!({"id": "backlog", "name": "Backlog", "group": "backlog"});
    let older = json!({"name": "Backlog", "group": "backlog"});
    let kept = set(2, older).await.json;
    assert_eq!(
        (&kept["states"][0], &kept["version"]),
        (&shown, &json!(2)),
        "an older client takes nothing away"
    );
    let emptied =
        json!({"name": "Backlog", "group": "backlog", "wipLimit": 0, "color": "", "description": ""});
    assert_eq!(set(2, emptied).await.json["states"][0], plain);
    for wrong in [json!({"color": "red"}), json!({"description": "x".repeat(501)})] {
        let mut state = plain.clone();
        state.as_object_mut().unwrap().extend(wrong.as_object().unwrap().clone());
        let refused = set(3, state).await;
        assert!(refused.json["errors"]["states"].is_array(), "{}", refused.text);
    }
}

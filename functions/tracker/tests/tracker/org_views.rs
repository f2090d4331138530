//! Saved views of an organization: whose they are, and who sees them.

use http::Method;
use serde_json::{Value, json};
use svc_testkit::{Reply, call};

use crate::world::World;

async fn names(world: &World, token: &str) -> Vec<String> {
    let views = world.get_as(token, "/views").await.json;
    let name = |view: &Value| format!("{} {}", view["name"].as_str().unwrap(), view["canEdit"]);
    views.as_array().unwrap().iter().map(name).collect()
}

async fn change(world: &World, token: &str, view: &Value, change: Value) -> Reply {
    let path = format!("/views/{}", view["id"].as_str().unwrap());
    world.change_as(token, Method::PATCH, &path, change).await
}

async fn delete(world: &World, token: &str, view: &Value) -> Reply {
    let path = format!("/orgs/demo/views/{}", view["id"].as_str().unwrap());
    call(&world.router, Method::DELETE, &path, Some(token), None).await
}

#[tokio::test]
async fn a_view_keeps_how_it_is_shown_and_is_its_makers_until_it_is_shared() {
    let world = World::new().await;
    let (ada, outsider) = (&world.ada.token, &world.outsider.token);
    let new = json!({
        "name": "Mine by state", "filter": "assignee:@me", "sort": "due", "group": "state", "layout": "board"
    });
    let made = world.post("/views", new).await.is(201);
    let view = made.json;
    assert_eq!((&view["group"], &view["layout"]), (&json!("state"), &json!("board")));
    assert_eq!(world.get("/views").await.json[0], view);
    assert_eq!(world.get("/projects/PRJ/views").await.json, json!([]), "projects have views of their own");
    for token in [outsider, &world.owner] {
        assert_eq!(names(&world, token).await, [""; 0]);
        assert_eq!(change(&world, token, &view, json!({"version": 1, "name": "Theirs"})).await.status, 404);
    }
    let cursor = world.get("/changes").await.json["cursor"].as_str().unwrap().to_owned();
    let wanted = json!({"version": 1, "shared": true, "group": null, "layout": "list"});
    let shared = change(&world, ada, &view, wanted).await.json;
    assert_eq!((&shared["group"], &shared["layout"]), (&Value::Null, &json!("list")));
    for (token, seen) in
        [(ada, "Mine by state true"), (outsider, "Mine by state false"), (&world.owner, "Mine by state true")]
    {
        assert_eq!(names(&world, token).await, [seen]);
    }
    let told = world.get_as(outsider, &format!("/changes?after={cursor}")).await;
    assert!(told.text.contains("\"views\""), "live pages hear of it: {}", told.text);
    let refused = change(&world, outsider, &shared, json!({"version": 2, "name": "Theirs"})).await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (403, "forbidden"));
    assert_eq!(delete(&world, &world.owner, &shared).await.status, 204);
    assert_eq!(names(&world, ada).await, [""; 0]);
}

#[tokio::test]
async fn guests_have_their_own_and_see_none_of_others() {
    let world = World::new().await;
    let guest = &world.guest.token;
    let shared =
        world.post("/views", json!({"name": "Secret plans", "shared": true, "filter": "type:epic"})).await;
    let cursor = world.get_as(guest, "/changes").await.json["cursor"].as_str().unwrap().to_owned();
    assert_eq!(names(&world, guest).await, [""; 0], "a filter may name what Guests do not see");
    let path = format!("/orgs/demo/views/{}", shared.json["id"].as_str().unwrap());
    call(&world.router, Method::DELETE, &path, Some(guest), None).await.is(404);
    let refused = world.post_as(guest, "/views", json!({"name": "For all", "shared": true})).await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (403, "forbidden"));
    let own = world.post_as(guest, "/views", json!({"name": "For me"})).await.json;
    assert_eq!(names(&world, guest).await, ["For me true"]);
    let refused = change(&world, guest, &own, json!({"version": 1, "shared": true})).await;
    assert_eq!(refused.problem(), "forbidden", "{}", refused.text);
    change(&world, &world.ada.token, &shared.json, json!({"version": 1, "name": "Plans"})).await;
    let told = world.get_as(guest, &format!("/changes?after={cursor}")).await;
    assert!(!told.text.contains("\"views\""), "{}", told.text);
}

#[tokio::test]
async fn a_group_is_the_name_of_a_field() {
    let world = World::new().await;
    for group in ["", "a b", "<b>"] {
        let refused = world.post("/views", json!({"name": "A", "group": group})).await;
        assert!(refused.json["errors"]["group"].is_array(), "{group}: {}", refused.text);
    }
    let refused = world.post("/views", json!({"name": "A", "layout": "cube"})).await;
    assert_eq!(refused.status.as_u16(), 422, "{}", refused.text);
}

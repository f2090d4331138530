//! Ticket templates.

use http::Method;
use serde_json::{Value, json};
use svc_testkit::{Reply, call};

use crate::world::World;

async fn as_chief(world: &World, method: Method, path: &str, body: Value) -> Reply {
    let path = format!("/orgs/demo/projects/PRJ{path}");
    let body = (!body.is_null()).then_some(body);
    call(&world.router, method, &path, Some(&world.chief.token), body).await
}

async fn names(world: &World, token: &str) -> Vec<String> {
    let list = world.get_as(token, "/projects/PRJ/templates").await.json;
    list.as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_built_in_templates_are_there_once_and_what_happens_to_them_stays() {
    let world = World::new().await;
    assert_eq!(names(&world, &world.guest.token).await, ["Bug report", "User story"]);
    let list = world.get("/projects/PRJ/templates").await.json;
    let (bug, story) = (list[0]["id"].as_str().unwrap(), list[1]["id"].as_str().unwrap());
    let rename = json!({"version": 1, "name": "Defect"});
    let renamed = as_chief(&world, Method::PATCH, &format!("/templates/{bug}"), rename.clone()).await;
    assert_eq!((&renamed.json["name"], &renamed.json["version"]), (&json!("Defect"), &json!(2)));
    let stale = as_chief(&world, Method::PATCH, &format!("/templates/{bug}"), rename).await;
    assert_eq!((stale.problem(), &stale.json["currentVersion"]), ("stale-version", &json!(2)));
    let deleted = as_chief(&world, Method::DELETE, &format!("/templates/{story}"), Value::Null).await;
    assert_eq!(deleted.status, 204);
    assert_eq!(names(&world, &world.ada.token).await, ["Defect"], "nothing is seeded a second time");
    let again = as_chief(&world, Method::DELETE, &format!("/templates/{story}"), Value::Null).await;
    assert_eq!(again.problem(), "not-found");
    as_chief(&world, Method::DELETE, &format!("/templates/{bug}"), Value::Null).await;
    assert_eq!(names(&world, &world.ada.token).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_template_fills_what_a_new_item_leaves_open() {
    let world = World::new().await;
    let new = json!({
        "name": "Chore", "type": "task", "body": "- [ ] tidy", "priority": "low", "labels": ["chore", "ops"],
    });
    let made = as_chief(&world, Method::POST, "/templates", new).await.is(201);
    let create = |body: Value| world.post("/projects/PRJ/items", body);
    let by_name = create(json!({"type": "task", "title": "A", "template": "CHORE"})).await.json;
    assert_eq!((&by_name["body"], &by_name["priority"]), (&json!("- [ ] tidy"), &json!("low")));
    assert_eq!(by_name["labels"], json!(["chore", "ops"]));
    let own = json!({
        "type": "task", "title": "B", "template": made.json["id"], "body": "Mine", "priority": "high",
        "labels": ["x"],
    });
    let own = create(own).await.json;
    assert_eq!(
        (&own["body"], &own["priority"], &own["labels"]),
        (&json!("Mine"), &json!("high"), &json!(["x"]))
    );
    for (kind, template) in [("bug", "Chore"), ("task", "Nothing")] {
        let refused = create(json!({"type": kind, "title": "C", "template": template})).await;
        assert!(refused.json["errors"]["template"].is_array(), "{}", refused.text);
    }
    let bug = create(json!({"type": "bug", "title": "D", "template": "Bug report"})).await.json;
    assert!(bug["body"].as_str().unwrap().contains("Steps to reproduce"));
}

#[tokio::test]
async fn wrong_and_taken_templates_are_refused() {
    let world = World::new().await;
    for body in [
        json!({"name": "", "type": "task"}),
        json!({"name": "x", "type": "wish"}),
        json!({"name": "x", "type": "task", "labels": ["two,words"]}),
        json!({"name": "x", "type": "task", "body": "x".repeat(10_001)}),
    ] {
        let refused = as_chief(&world, Method::POST, "/templates", body.clone()).await;
        assert_eq!(refused.problem(), "validation-failed", "{}", refused.text);
    }
    let taken =
        as_chief(&world, Method::POST, "/templates", json!({"name": "BUG report", "type": "bug"})).await;
    assert_eq!(taken.problem(), "already-exists");
}

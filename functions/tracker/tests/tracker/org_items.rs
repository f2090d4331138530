//! Items across the projects of an organization, and how many there are of each kind.

use serde_json::{Value, json};
use svc_domain::identity::ProjectRole;

use crate::world::World;

/// Two projects that Ada sees, one that she does not.
async fn two_projects() -> World {
    let world = World::new().await;
    for key in ["ABC", "HID"] {
        world.post_as(&world.owner, "/projects", json!({"key": key, "name": key})).await;
    }
    let project = svc_domain::project::Project { key: "ABC".parse().unwrap(), ..world.project.clone() };
    world.kit.project_member(&world.org, &project, world.ada.id, ProjectRole::Member).await;
    let item = |title: &str, assignee: Option<&str>, estimate: Option<f64>, labels: &[&str]| json!({"type": "task", "title": title, "assignee": assignee, "estimate": estimate, "labels": labels});
    world.post("/projects/PRJ/items", item("Bravo", Some("@me"), Some(2.0), &["red"])).await;
    world.post("/projects/ABC/items", item("alpha", Some("@me"), None, &["Red", "blue"])).await;
    world.post("/projects/ABC/items", item("Charlie", None, Some(5.0), &[])).await;
    world.post_as(&world.owner, "/projects/HID/items", item("Secret", None, Some(1.0), &["red"])).await;
    world
}

fn keys(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|item| item["key"].as_str().unwrap()).collect()
}

async fn list(world: &World, query: &str) -> (Vec<String>, Value) {
    let reply = world.get(&format!("/items?{query}")).await.is(200);
    (keys(&reply.json).into_iter().map(str::to_owned).collect(), reply.json["totalCount"].clone())
}

#[tokio::test]
async fn items_of_every_project_that_the_caller_sees_come_in_one_order() {
    let world = two_projects().await;
    assert_eq!(
        list(&world, "sort=title").await,
        (vec!["ABC-1".into(), "PRJ-1".into(), "ABC-2".into()], json!(3))
    );
    assert_eq!(list(&world, "sort=-title").await.0, ["ABC-2", "PRJ-1", "ABC-1"]);
    assert_eq!(list(&world, "sort=estimate").await.0, ["PRJ-1", "ABC-2", "ABC-1"], "without one comes last");
    assert_eq!(list(&world, "sort=-estimate").await.0, ["ABC-2", "PRJ-1", "ABC-1"], "in both directions");
    assert_eq!(list(&world, "sort=key").await.0, ["ABC-1", "ABC-2", "PRJ-1"]);
    assert_eq!(list(&world, "sort=-key").await.0, ["PRJ-1", "ABC-2", "ABC-1"]);
    assert_eq!(
        list(&world, "filter=assignee:@me&sort=key").await,
        (vec!["ABC-1".into(), "PRJ-1".into()], json!(2))
    );
    assert_eq!(list(&world, "q=charlie").await.0, ["ABC-2"]);
    for page in 1..=3 {
        let (found, total) = list(&world, &format!("sort=title&pageSize=1&page={page}")).await;
        assert_eq!((found, total), (vec![["ABC-1", "PRJ-1", "ABC-2"][page - 1].to_owned()], json!(3)));
    }
    assert_eq!(list(&world, "page=4294967295&pageSize=100").await, (vec![], json!(3)));
    let theirs = world.get_as(&world.outsider.token, "/items").await.json;
    assert_eq!((keys(&theirs), &theirs["totalCount"]), (vec![], &json!(0)));
    assert_eq!(world.get_as(&world.owner, "/items").await.json["totalCount"], 4);
    let listed = world.get("/projects/PRJ/items").await.json;
    assert_eq!(
        world.get("/items?q=bravo").await.json["items"],
        listed["items"],
        "an entry is that of the project"
    );
}

#[tokio::test]
async fn the_list_says_what_the_caller_may_do_in_each_project() {
    let world = two_projects().await;
    let project = svc_domain::project::Project { key: "ABC".parse().unwrap(), ..world.project.clone() };
    world.kit.project_member(&world.org, &project, world.guest.id, ProjectRole::Member).await;
    let may = async |token: &str, path: &str| world.get_as(token, path).await.json["can"].clone();
    let mine = may(&world.ada.token, "/items").await;
    assert_eq!(mine["PRJ"], may(&world.ada.token, "/projects/PRJ/items").await);
    assert_eq!(mine["ABC"]["edit"], true, "{mine}");
    assert_eq!(mine.as_object().unwrap().len(), 2, "none of a project that she does not see: {mine}");
    let guests = may(&world.guest.token, "/items").await;
    assert_eq!(
        (&guests["ABC"]["edit"], &guests["ABC"]["comment"]),
        (&json!(false), &json!(true)),
        "{guests}"
    );
    let one = may(&world.guest.token, "/items/ABC-1").await;
    assert_eq!(one, guests["ABC"], "an item of somebody else");
    assert_eq!(may(&world.ada.token, "/items/PRJ-1").await["delete"], true, "she made it");
    let owners = may(&world.owner, "/items?filter=label:red&q=secret").await;
    assert_eq!(
        (owners.as_object().unwrap().len(), &owners["HID"]["configure"]),
        (1, &json!(true)),
        "{owners}"
    );
}

#[tokio::test]
async fn a_state_of_some_projects_matches_nothing_in_the_others() {
    let world = two_projects().await;
    let workflow = world.get("/projects/ABC/workflow").await.json;
    let mut states = workflow["states"].clone();
    states.as_array_mut().unwrap().push(json!({"name": "Waiting", "group": "active"}));
    let set = json!({"version": 1, "states": states, "moves": [{"from": "Backlog", "to": "Waiting"}]});
    world.change_as(&world.owner, http::Method::PUT, "/projects/ABC/workflow", set).await.is(200);
    assert_eq!(list(&world, "filter=state:Waiting").await, (vec![], json!(0)));
    assert_eq!(list(&world, "filter=-state:Waiting").await.1, 3);
    let unknown = world.get("/items?filter=state:Nowhere").await;
    assert!(unknown.json["errors"]["filter"].is_array(), "{}", unknown.text);
    world
        .change_as(
            &world.owner,
            http::Method::PATCH,
            "/projects/ABC",
            json!({"version": 1, "archived": true}),
        )
        .await;
    assert_eq!(list(&world, "").await.0, ["PRJ-1"], "an archived project is left out");
}

#[tokio::test]
async fn counts_tell_how_many_there_are_of_each() {
    let world = two_projects().await;
    let counts = async |path: &str| {
        let reply = world.get(path).await.is(200);
        let group = |group: &Value| format!("{} {}", group["value"].as_str().unwrap_or("-"), group["count"]);
        let groups: Vec<String> = reply.json["groups"].as_array().unwrap().iter().map(group).collect();
        (reply.json["total"].as_u64().unwrap(), groups.join(", "))
    };
    assert_eq!(counts("/items/counts").await, (3, "Backlog 3".to_owned()));
    assert_eq!(counts("/items/counts?by=stateGroup").await, (3, "backlog 3".to_owned()));
    assert_eq!(counts("/items/counts?by=label").await, (3, "blue 1, Red 2, - 1".to_owned()));
    assert_eq!(counts("/items/counts?by=type&filter=label:red").await, (2, "task 2".to_owned()));
    assert_eq!(counts("/projects/PRJ/items/counts?by=priority").await, (1, "medium 1".to_owned()));
    let people = world.get("/items/counts?by=assignee").await.json;
    assert_eq!(people["groups"][0], json!({"value": world.ada.id.to_string(), "name": "ada", "count": 2}));
    assert_eq!(people["groups"][1], json!({"value": null, "count": 1}));
    for wrong in ["/items/counts?by=colour", "/projects/PRJ/items/counts?by=colour"] {
        let refused = world.get(wrong).await;
        assert!(refused.json["errors"]["by"].is_array(), "{}", refused.text);
    }
    let unknown = world.get("/projects/PRJ/items/counts?filter=state:Nowhere").await;
    assert!(unknown.json["errors"]["filter"].is_array(), "{}", unknown.text);
}

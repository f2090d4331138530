//! Numbers of a project: what was created and resolved each week, how long it took, and what sprints got done.

use http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::world::World;

/// Weeks in which something happened: the Monday, how many items were created and resolved.
fn busy(stats: &Value) -> Vec<(String, u64, u64)> {
    let weeks = stats["weeks"].as_array().unwrap().iter();
    let weeks = weeks.map(|week| {
        let number = |name: &str| week[name].as_u64().unwrap();
        (week["begins"].as_str().unwrap().to_owned(), number("created"), number("resolved"))
    });
    weeks.filter(|(_, created, resolved)| created + resolved > 0).collect()
}

#[tokio::test]
async fn a_project_tells_what_it_finishes_and_how_long_that_takes() {
    let world = World::new().await;
    for title in ["One", "Two", "Three"] {
        world.item(title).await;
    }
    world.post("/items/PRJ-1/subtasks", json!({"title": "Part", "estimate": 1})).await;
    world.kit.advance(SignedDuration::from_hours(24));
    world.advance("PRJ-1", &["In progress"]).await;
    world.kit.advance(SignedDuration::from_hours(7 * 24));
    world.advance("PRJ-1", &["In review", "Resolved"]).await;
    world.advance("PRJ-2", &["In progress", "In review", "Resolved"]).await;
    let stats = world.get("/projects/PRJ/stats").await.is(200);
    let stats = stats.json;
    let monday = |day: &str| day.to_owned();
    assert_eq!(busy(&stats), [(monday("2026-01-05"), 3, 0), (monday("2026-01-12"), 0, 2)]);
    assert_eq!(stats["weeks"].as_array().unwrap().len(), 12);
    let lead = json!({"items": 2, "medianHours": 192.0, "p85Hours": 192.0, "p95Hours": 192.0});
    assert_eq!(stats["leadTime"], lead);
    let cycle = json!({"items": 2, "medianHours": 0.0, "p85Hours": 168.0, "p95Hours": 168.0});
    assert_eq!(stats["cycleTime"], cycle);
    assert_eq!(world.get("/items/PRJ-1").await.json["startedAt"], "2026-01-06T09:00:00Z");
    assert_eq!(stats["velocity"], json!([]));

    let last_two: Vec<_> = stats["weeks"].as_array().unwrap().iter().rev().take(2).collect();
    let standing = |week: &Value| ["backlog", "active", "done"].map(|name| week[name].as_u64().unwrap());
    assert_eq!(standing(last_two[1]), [2, 1, 0], "PRJ-1 was begun in the first week");
    assert_eq!(standing(last_two[0]), [1, 0, 2]);
    assert_eq!(last_two[0]["cycleTime"], cycle);
    assert_eq!(last_two[1].get("cycleTime"), None);

    let short = world.get("/projects/PRJ/stats?weeks=1").await.json;
    assert_eq!(standing(&short["weeks"][0]), [1, 0, 2]);
    assert_eq!((busy(&short), &short["from"]), (vec![(monday("2026-01-12"), 0, 2)], &json!("2026-01-12")));
    assert_eq!(world.get("/projects/PRJ/stats?weeks=900").await.json["weeks"].as_array().unwrap().len(), 52);
    let path = "/orgs/demo/items/PRJ-2";
    svc_testkit::call(&world.router, Method::DELETE, path, Some(&world.ada.token), None).await.is(204);
    assert_eq!(world.get("/projects/PRJ/stats?weeks=1").await.json["leadTime"]["items"], 1);
    assert_eq!(world.get_as(&world.outsider.token, "/projects/PRJ/stats").await.status, 404);
}

#[tokio::test]
async fn completed_sprints_tell_their_velocity() {
    let world = World::with_team().await;
    let sprint = world.plan("web", "First").await;
    for estimate in [3, 5] {
        let new = json!({"type": "task", "title": "Work", "estimate": estimate, "sprint": sprint});
        assert_eq!(world.post("/projects/PRJ/items", new).await.status, 201);
    }
    world.advance("PRJ-1", &["In progress", "In review", "Resolved"]).await;
    for step in ["start", "complete"] {
        let version = world.get(&format!("/sprints/{sprint}")).await.json["version"].clone();
        let done = world.post(&format!("/sprints/{sprint}/{step}"), json!({"version": version})).await;
        assert!(done.status.is_success(), "{step}: {}", done.text);
    }
    let velocity = &world.get("/projects/PRJ/stats").await.json["velocity"][0];
    let told = ["name", "team", "items", "finished", "estimate", "done"].map(|field| velocity[field].clone());
    assert_eq!(
        told,
        [json!("First"), json!("web"), json!(2), json!(1), json!(8.0), json!(3.0)],
        "{velocity}"
    );
}

#[tokio::test]
async fn a_milestone_has_numbers_of_its_own() {
    let world = World::new().await;
    let milestone = world.post("/projects/PRJ/milestones", json!({"name": "Beta"})).await.json["id"].clone();
    for title in ["One", "Two", "Three"] {
        world.item(title).await;
    }
    for key in ["PRJ-1", "PRJ-2"] {
        let change = json!({"version": 1, "milestone": milestone});
        assert_eq!(world.patch(&format!("/items/{key}"), change).await.status, 200);
    }
    world.advance("PRJ-1", &["In progress", "In review", "Resolved"]).await;
    let path = |id: &str| format!("/projects/PRJ/stats?weeks=1&milestone={id}");
    let week = world.get(&path(milestone.as_str().unwrap())).await.json["weeks"][0].clone();
    assert_eq!(
        [&week["created"], &week["resolved"], &week["backlog"], &week["done"]],
        [2, 1, 1, 1],
        "{week}"
    );
    let other = world.get(&path("01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d")).await.json;
    assert_eq!(other["weeks"][0]["created"], 0);
    assert_eq!(world.get(&path("beta")).await.status, 400);
}

#[tokio::test]
async fn an_organization_tells_how_far_its_projects_are() {
    let world = World::new().await;
    assert_eq!(world.get("/project-overviews").await.json[0]["throughput"], json!(vec![0; 12]));
    for title in ["One", "Two", "Three"] {
        world.item(title).await;
    }
    world.post("/items/PRJ-3/subtasks", json!({"title": "Part", "estimate": 1})).await;
    world.advance("PRJ-1", &["In progress", "In review", "Resolved"]).await;
    world.kit.advance(SignedDuration::from_hours(1));
    world.advance("PRJ-2", &["In progress"]).await;
    let reply = world.get("/project-overviews").await;
    let [seen] = reply.json.as_array().unwrap().as_slice() else { panic!("{}", reply.text) };
    let numbers = ["backlog", "active", "resolved", "closed"].map(|name| seen[name].as_u64().unwrap());
    assert_eq!((seen["key"].as_str(), numbers), (Some("PRJ"), [1, 1, 1, 0]), "{seen}");
    assert_eq!(seen["throughput"].as_array().unwrap().last().unwrap(), 1);
    assert_eq!(seen["changedAt"], world.get("/items/PRJ-2").await.json["updatedAt"]);
    let path = "/orgs/demo/project-overviews";
    let outside =
        svc_testkit::call(&world.router, Method::GET, path, Some(&world.outsider.token), None).await;
    assert_eq!(outside.json, json!([]), "a member of no project is told of none: {}", outside.text);
}

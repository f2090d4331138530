//! Saved views: whose they are, who sees them, and what becomes of them when what they name is renamed.

use http::Method;
use serde_json::{Value, json};
use svc_testkit::{Reply, call};

use crate::world::World;

async fn names(world: &World, token: &str) -> Vec<String> {
    let views = world.get_as(token, "/projects/PRJ/views").await.json;
    let name = |view: &Value| format!("{} {}", view["name"].as_str().unwrap(), view["canEdit"]);
    views.as_array().unwrap().iter().map(name).collect()
}

async fn save(world: &World, token: &str, body: Value) -> Reply {
    world.post_as(token, "/projects/PRJ/views", body).await
}

async fn change(world: &World, token: &str, view: &Value, change: Value) -> Reply {
    let path = format!("/projects/PRJ/views/{}", view["id"].as_str().unwrap());
    world.change_as(token, Method::PATCH, &path, change).await
}

async fn delete(world: &World, token: &str, view: &Value) -> Reply {
    let path = format!("/orgs/demo/projects/PRJ/views/{}", view["id"].as_str().unwrap());
    call(&world.router, Method::DELETE, &path, Some(token), None).await
}

#[tokio::test]
async fn a_view_is_its_makers_until_it_is_shared() {
    let world = World::new().await;
    let (ada, bob, guest) = (&world.ada.token, &world.bob.token, &world.guest.token);
    let new =
        json!({"name": " Open bugs ", "filter": "type:bug state:active", "q": "crash", "sort": "-priority"});
    let made = save(&world, ada, new).await;
    assert_eq!((made.status.as_u16(), &made.json["name"]), (201, &json!("Open bugs")), "{}", made.text);
    let view = made.json;
    assert_eq!(
        (names(&world, ada).await, names(&world, bob).await),
        (vec!["Open bugs true".to_owned()], vec![])
    );
    assert_eq!(world.get("/projects/PRJ/views").await.json[0], view);
    for token in [bob, &world.chief.token, &world.owner] {
        let unseen = change(&world, token, &view, json!({"version": 1, "name": "Mine"})).await;
        assert_eq!(unseen.problem(), "not-found", "{}", unseen.text);
        assert_eq!(delete(&world, token, &view).await.status, 404);
    }
    let shared = change(&world, ada, &view, json!({"version": 1, "shared": true, "q": null})).await.json;
    assert_eq!(
        (&shared["shared"], &shared["version"], &shared["q"]),
        (&json!(true), &json!(2), &Value::Null)
    );
    assert_eq!(names(&world, bob).await, ["Open bugs false"]);
    assert_eq!(names(&world, guest).await, ["Open bugs false"]);
    assert_eq!(names(&world, &world.chief.token).await, ["Open bugs true"]);
    let refused = change(&world, bob, &shared, json!({"version": 2, "name": "Mine"})).await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (403, "forbidden"));
    let taken = change(&world, &world.chief.token, &shared, json!({"version": 2, "shared": false})).await;
    assert_eq!(taken.problem(), "forbidden", "only its maker takes it back: {}", taken.text);
    let stale = change(&world, ada, &shared, json!({"version": 1, "name": "New"})).await;
    assert_eq!((stale.problem(), &stale.json["currentVersion"]), ("stale-version", &json!(2)));
    let back = change(&world, ada, &shared, json!({"version": 2, "shared": false})).await.json;
    assert_eq!((names(&world, bob).await, &back["version"]), (vec![], &json!(3)));
    assert_eq!(delete(&world, ada, &back).await.status, 204);
    assert_eq!(delete(&world, ada, &back).await.status, 404);
}

#[tokio::test]
async fn guests_save_their_own_and_share_none() {
    let world = World::new().await;
    let guest = &world.guest.token;
    let shared = save(&world, guest, json!({"name": "For all", "shared": true})).await;
    assert_eq!((shared.status.as_u16(), shared.problem()), (403, "forbidden"), "{}", shared.text);
    let own = save(&world, guest, json!({"name": "For me"})).await.json;
    let refused = change(&world, guest, &own, json!({"version": 1, "shared": true})).await;
    assert_eq!(refused.problem(), "forbidden", "{}", refused.text);
    assert_eq!(names(&world, guest).await, ["For me true"]);
    assert_eq!(save(&world, &world.outsider.token, json!({"name": "Any"})).await.status, 404);
}

#[tokio::test]
async fn what_cannot_be_listed_is_not_saved() {
    let world = World::new().await;
    for (body, field) in [
        (json!({"name": ""}), "name"),
        (json!({"name": "A", "filter": "colour:red"}), "filter"),
        (json!({"name": "A", "filter": "type:bug ".repeat(60)}), "filter"),
        (json!({"name": "A", "sort": "size"}), "sort"),
        (json!({"name": "A", "q": "x".repeat(201)}), "q"),
    ] {
        let refused = save(&world, &world.ada.token, body.clone()).await;
        assert!(refused.json["errors"][field].is_array(), "{body}: {}", refused.text);
    }
    save(&world, &world.ada.token, json!({"name": "Twice"})).await;
    let twice = save(&world, &world.ada.token, json!({"name": "twice"})).await;
    assert_eq!((twice.status.as_u16(), twice.problem()), (409, "already-exists"), "{}", twice.text);
    let shared = save(&world, &world.ada.token, json!({"name": "Twice", "shared": true})).await;
    assert_eq!(shared.status, 201, "a shared view may be called as one of yours: {}", shared.text);
}

#[tokio::test]
async fn views_follow_a_renamed_label_and_a_replaced_state() {
    let world = World::new().await;
    world.post_as(&world.chief.token, "/projects/PRJ/labels", json!({"name": "bug"})).await;
    let filter = "label:bug state:\"In review\"";
    for (token, shared) in [(&world.ada.token, false), (&world.bob.token, true)] {
        save(&world, token, json!({"name": "Bugs", "filter": filter, "shared": shared})).await;
    }
    let cursor = world.get("/changes").await.json["cursor"].as_str().unwrap().to_owned();
    let rename = json!({"version": 1, "name": "defect"});
    world.change_as(&world.chief.token, Method::PATCH, "/projects/PRJ/labels/bug", rename).await.is(200);
    let states = json!([{"name": "Backlog", "group": "backlog"}, {"name": "Checking", "group": "active"}]);
    let moves = json!([{"from": "Backlog", "to": "Checking"}]);
    let set = json!({
        "version": 1, "states": states, "moves": moves,
        "moveItems": [{"from": "In review", "to": "Checking"}],
    });
    world.change_as(&world.chief.token, Method::PUT, "/projects/PRJ/workflow", set).await.is(200);
    let filters = async || {
        let views = world.get("/projects/PRJ/views").await.json;
        views
            .as_array()
            .unwrap()
            .iter()
            .map(|view| view["filter"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert!(
        filters().await.iter().all(|filter| filter.starts_with("label:defect ")),
        "{:?}",
        filters().await
    );
    assert!(filters().await.iter().all(|filter| filter.ends_with("state:Checking")), "{:?}", filters().await);
    let told = world.get(&format!("/changes?after={cursor}")).await;
    assert!(told.text.contains("\"views\""), "live pages hear of it: {}", told.text);
}

#[tokio::test]
async fn views_follow_a_renamed_milestone_and_a_renamed_sprint() {
    let world = World::with_team().await;
    let beta = world.post("/projects/PRJ/milestones", json!({"name": "Beta"})).await.json;
    let sprint = world.plan("web", "S1").await;
    let filter = "milestone:beta,none (sprint:S1 OR sprint:current)";
    for (token, shared) in [(&world.ada.token, false), (&world.bob.token, true)] {
        save(&world, token, json!({"name": "Soon", "filter": filter, "shared": shared})).await;
    }
    let path = format!("/projects/PRJ/milestones/{}", beta["id"].as_str().unwrap());
    let renamed = world.patch(&path, json!({"version": 1, "name": "First beta"})).await;
    assert_eq!((renamed.status.as_u16(), &renamed.json["version"]), (200, &json!(2)), "{}", renamed.text);
    world.patch(&format!("/sprints/{sprint}"), json!({"version": 1, "name": "Sprint 1"})).await.is(200);
    let views = world.get("/projects/PRJ/views").await.json;
    for view in views.as_array().unwrap() {
        let now = "milestone:\"First beta\",none (sprint:\"Sprint 1\" OR sprint:current)";
        assert_eq!(view["filter"], now, "{view}");
    }
    world.work().await;
    world.patch(&path, json!({"version": 2, "description": "Soon"})).await.is(200);
}

//! Teams of a project.

use http::Method;
use insta::assert_snapshot;
use serde_json::{Value, json};
use svc_storage::{Condition, Op, keys};
use svc_testkit::{Reply, call};

use crate::world::World;

const TEAMS: &str = "/projects/PRJ/teams";

async fn create(world: &World, key: &str) -> Reply {
    world.post_as(&world.chief.token, TEAMS, json!({"key": key, "name": format!("Team {key}")})).await
}

async fn change(world: &World, team: &str, body: Value) -> Reply {
    world.change_as(&world.chief.token, Method::PATCH, &format!("{TEAMS}/{team}"), body).await
}

async fn delete(world: &World, team: &str) -> Reply {
    let path = format!("/orgs/demo{TEAMS}/{team}");
    call(&world.router, Method::DELETE, &path, Some(&world.chief.token), None).await
}

#[tokio::test]
async fn a_new_project_has_a_team_of_its_own() {
    let world = World::new().await;
    world.post_as(&world.owner, "/projects", json!({"key": "NEW", "name": "Search"})).await;
    let teams = world.get_as(&world.owner, "/projects/NEW/teams").await.json;
    let names = |team: &Value| (team["key"].clone(), team["name"].clone());
    assert_eq!(
        teams.as_array().unwrap().iter().map(names).collect::<Vec<_>>(),
        [(json!("NEW"), json!("Search"))]
    );
}

#[tokio::test]
async fn a_team_is_named_by_key_or_id_and_has_members_of_the_project() {
    let world = World::new().await;
    let body = json!({"key": "Web", "name": "Web front end", "members": [world.bob.id, world.ada.id]});
    let made = world.post_as(&world.chief.token, TEAMS, body).await.is(201);
    let names = |team: &Value| {
        let names =
            team["members"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(names(&made.json), ["ada", "bob"]);
    let id = made.json["id"].as_str().unwrap();
    for word in ["web", "WEB", id] {
        assert_eq!(world.get(&format!("{TEAMS}/{word}")).await.json, made.json, "{word}");
    }
    let bob = keys::project_member(world.org.id, &world.project.key, world.bob.id);
    svc_testkit::write(&world.kit.app, vec![Op::delete(bob, Condition::Present)]).await.unwrap();
    assert_eq!(
        names(&world.get(&format!("{TEAMS}/web")).await.json),
        ["ada"],
        "who left the project left the team"
    );
}

#[tokio::test]
async fn what_is_no_team_is_refused_with_the_field() {
    let world = World::new().await;
    let body = json!({"key": "a b", "name": "", "members": [world.outsider.id]});
    assert_snapshot!(
        world
            .post_as(&world.chief.token, TEAMS, body)
            .await
            .snapshot()
            .replace(&world.outsider.id.to_string(), "[id]")
    );
    let unnamed = world.post_as(&world.chief.token, TEAMS, json!({"key": "a", "name": " "})).await;
    assert!(unnamed.json["errors"]["name"][0].is_string(), "{}", unnamed.text);
    assert_eq!(create(&world, "web").await.status, 201);
    let taken = create(&world, "WEB").await;
    assert_eq!((taken.status.as_u16(), taken.problem()), (409, "already-exists"));
    let stale = change(&world, "web", json!({"version": 7, "name": "Other"})).await;
    assert_eq!((stale.problem(), &stale.json["currentVersion"]), ("stale-version", &json!(1)));
    assert_eq!(world.get(&format!("{TEAMS}/nobody")).await.problem(), "not-found");
    assert_eq!(world.post(TEAMS, json!({"key": "mine", "name": "Mine"})).await.problem(), "forbidden");
}

#[tokio::test]
async fn a_team_is_renamed_archived_and_deleted_when_no_sprint_needs_it() {
    let world = World::new().await;
    create(&world, "web").await;
    let renamed = change(&world, "web", json!({"version": 1, "name": "Front"})).await;
    assert_eq!((&renamed.json["name"], &renamed.json["version"]), (&json!("Front"), &json!(2)));

    let sprint = world.post("/projects/PRJ/sprints", json!({"team": "web", "name": "One"})).await.is(201);
    for refused in
        [change(&world, "web", json!({"version": 2, "archived": true})).await, delete(&world, "web").await]
    {
        assert_eq!((refused.status.as_u16(), refused.problem()), (409, "conflict"), "{}", refused.text);
    }
    let path = format!("/orgs/demo/sprints/{}", sprint.json["id"].as_str().unwrap());
    assert_eq!(call(&world.router, Method::DELETE, &path, Some(&world.ada.token), None).await.status, 204);

    let archived = change(&world, "web", json!({"version": 2, "archived": true})).await;
    assert_eq!(archived.json["archived"], true, "{}", archived.text);
    let refused = world.post("/projects/PRJ/sprints", json!({"team": "web", "name": "Two"})).await;
    assert_eq!((refused.status.as_u16(), refused.problem()), (409, "conflict"), "{}", refused.text);

    assert_eq!(delete(&world, "web").await.status, 204);
    assert_eq!(world.get(TEAMS).await.json, json!([]));
    assert_eq!(create(&world, "web").await.status, 201, "its key is free again");
}

//! What happened lately in an organization.

use serde_json::{Value, json};
use svc_domain::identity::ProjectRole;

use crate::world::World;

async fn told(world: &World, token: &str, query: &str) -> Value {
    let reply = world.get_as(token, &format!("/activity{query}")).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.json
}

/// Each item with the newest of its history and the beginning of its last comment.
fn shown(answer: &Value) -> Vec<String> {
    let line = |item: &Value| {
        let (last, said) = (&item["history"][0], &item["comments"][0]["beginning"]);
        format!("{} {} {}", item["key"].as_str().unwrap(), last["action"], said).replace('"', "")
    };
    answer["items"].as_array().unwrap().iter().map(line).collect()
}

/// Nothing told which items were talked about last: the web app read each item's history and comments, and only of those
/// that had changed.
#[tokio::test]
async fn what_happened_last_comes_first_of_every_project_that_the_caller_sees_page_by_page() {
    let world = World::new().await;
    for key in ["ABC", "HID"] {
        world.post_as(&world.owner, "/projects", json!({"key": key, "name": key})).await;
    }
    let abc = svc_domain::project::Project { key: "ABC".parse().unwrap(), ..world.project.clone() };
    world.kit.project_member(&world.org, &abc, world.ada.id, ProjectRole::Member).await;
    let minute = jiff::SignedDuration::from_mins(1);
    for (project, title) in
        [("PRJ", "one"), ("ABC", "two"), ("HID", "secret"), ("PRJ", "three"), ("ABC", "four")]
    {
        world.kit.advance(minute);
        let new = json!({"type": "task", "title": title});
        world.post_as(&world.owner, &format!("/projects/{project}/items"), new).await;
    }
    world.kit.advance(minute);
    world.post_as(&world.owner, "/items/PRJ-1/comments", json!({"body": "Nearly **there**"})).await;
    world.kit.advance(minute);
    world
        .post_as(&world.owner, "/items/ABC-1/transition", json!({"version": 1, "state": "In progress"}))
        .await;

    let all = [
        "ABC-1 transitioned null",
        "PRJ-1 created Nearly **there**",
        "ABC-2 created null",
        "PRJ-2 created null",
    ];
    let answer = told(&world, &world.ada.token, "").await;
    assert_eq!(shown(&answer), all);
    assert_eq!((&answer["cursor"], &answer["since"]), (&Value::Null, &Value::Null));
    assert_eq!(answer["items"][0]["title"], "two");
    assert_eq!(shown(&told(&world, &world.ada.token, "?project=prj").await), [all[1], all[3]]);
    assert_eq!(told(&world, &world.owner, "").await["items"].as_array().unwrap().len(), 5);
    assert_eq!(shown(&told(&world, &world.outsider.token, "").await), [""; 0]);

    let (mut paged, mut query) = (Vec::new(), "?limit=1".to_owned());
    loop {
        let page = told(&world, &world.ada.token, &query).await;
        paged.extend(shown(&page));
        let Some(cursor) = page["cursor"].as_str() else { break };
        assert!(page["since"].is_string(), "{page}");
        query = format!("?limit=1&cursor={cursor}");
    }
    assert_eq!(paged, all);
    for wrong in ["x", "1.2", "1.x.PRJ", "1.2.prj!", "99999999999999999999.1.PRJ"] {
        assert_eq!(world.get(&format!("/activity?cursor={wrong}")).await.status, 400, "{wrong}");
    }
    let path = "/orgs/demo/items/ABC-1";
    svc_testkit::call(&world.router, http::Method::DELETE, path, Some(&world.owner), None).await;
    assert_eq!(shown(&told(&world, &world.ada.token, "").await), all[1..], "what is deleted is gone");
}

#[tokio::test]
async fn stakeholders_read_nothing_of_agents_in_it() {
    let world = World::new().await;
    world.item("Item").await;
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    world.post_as(&world.owner, "/items/PRJ-1/comments", json!({"body": "By a person"})).await;
    let begun = world.post_as(&agent, "/items/PRJ-1/comments", json!({"body": "By an agent"})).await;
    let inside = json!({"body": "In its thread", "replyTo": begun.json["id"]});
    world.post_as(&world.owner, "/items/PRJ-1/comments", inside).await;
    let item = world.get("/items/PRJ-1").await.json;
    let change = json!({"version": item["version"], "title": "Title of the agent"});
    world.change_as(&agent, http::Method::PATCH, "/items/PRJ-1", change).await;
    let seen = async |token: &str| {
        let answer = told(&world, token, "").await;
        let item = &answer["items"][0];
        let said = item["comments"].as_array().unwrap().iter().map(|comment| comment["beginning"].clone());
        (json!(said.collect::<Vec<_>>()), item["history"].as_array().unwrap().len())
    };
    let all = json!(["In its thread", "By an agent", "By a person"]);
    assert_eq!(seen(&world.owner).await, (all, 2));
    for token in [&world.ada.token, &world.guest.token] {
        assert_eq!(seen(token).await, (json!(["By a person"]), 1));
    }
}

//! Creating, commenting and being assigned watch by themselves; unwatching lasts.

use http::Method;
use serde_json::{Value, json};

use crate::world::{Person, World};

async fn watchers(world: &World, item: &str) -> Vec<String> {
    let path = format!("/orgs/demo/items/{item}/watchers");
    let all = world.call(&world.ada, Method::GET, &path, None).await.json;
    all.as_array().unwrap().iter().map(|who| who["name"].as_str().unwrap().to_owned()).collect()
}

async fn set(world: &World, who: &Person, item: &str, method: Method) {
    world.act(who, method, &format!("/items/{item}/watch"), Value::Null).await;
}

#[tokio::test]
async fn who_creates_comments_or_is_assigned_watches() {
    let world = World::new().await;
    let item = world.item(&world.ada, "Greet people").await;
    assert_eq!(watchers(&world, &item).await, ["ada"]);
    world.comment(&world.ben, &item, "hello", None).await;
    assert_eq!(watchers(&world, &item).await, ["ada", "ben"]);
    world.assign(&world.ada, &item, &world.stakeholder).await;
    assert_eq!(watchers(&world, &item).await, ["ada", "ben", "stakeholder"]);
    world.consistent().await;
}

#[tokio::test]
async fn who_stopped_to_watch_is_told_of_no_comment_until_they_watch_again() {
    let world = World::new().await;
    let item = world.item(&world.ada, "Greet people").await;
    set(&world, &world.ada, &item, Method::DELETE).await;
    world.comment(&world.ada, &item, "mine", None).await;
    world.comment(&world.ben, &item, "yours", None).await;
    assert_eq!(watchers(&world, &item).await, ["ben"], "a comment does not make them watch again");
    assert_eq!(world.inbox(&world.ada).await, [""; 0]);
    world.comment(&world.ben, &item, "@ada look", None).await;
    assert_eq!(world.inbox(&world.ada).await, [format!("{item}: ben mentioned you")]);
    set(&world, &world.ada, &item, Method::PUT).await;
    assert_eq!(watchers(&world, &item).await, ["ada", "ben"]);
    world.consistent().await;
}

#[tokio::test]
async fn who_stopped_does_not_watch_the_item_in_another_project_either() {
    let world = World::new().await;
    let item = world.item(&world.ada, "Greet people").await;
    world.comment(&world.ben, &item, "hello", None).await;
    set(&world, &world.ada, &item, Method::DELETE).await;
    let other = world.kit.project(&world.org, "OPS").await;
    for who in [&world.ada, &world.ben] {
        let role = svc_domain::identity::ProjectRole::Admin;
        world.kit.project_member(&world.org, &other, who.id, role).await;
    }
    let now = world.call(&world.ada, Method::GET, &format!("/orgs/demo/items/{item}"), None).await.json;
    let to = json!({"version": now["version"], "project": "OPS"});
    let moved = world.act(&world.ada, Method::POST, &format!("/items/{item}/transfer"), to).await;
    let key = moved["key"].as_str().unwrap_or_else(|| panic!("{moved}")).to_owned();
    assert_eq!(watchers(&world, &key).await, ["ben"]);
    assert_eq!(
        world.inbox(&world.ada).await,
        [format!("{key}: ben commented")],
        "the entry follows the item"
    );
    world.consistent().await;
}

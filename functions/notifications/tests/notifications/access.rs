//! An inbox has only what its owner may see now (specification sections 2.9 and 5).

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_testkit::{call, scopes};

use crate::world::World;

#[tokio::test]
async fn who_lost_access_sees_nothing_of_what_they_were_told() {
    let world = World::new().await;
    let item = world.item(&world.ada, "Greet people").await;
    world.comment(&world.ben, &item, "hello @ada", None).await;
    let entry = world.entries(&world.ada, "").await.remove(0);
    let path = format!("/orgs/demo/projects/PRJ/members/{}", world.ada.id);
    let gone = world.call(&world.owner, Method::DELETE, &path, None).await;
    assert!(gone.status.is_success(), "{}", gone.text);
    assert_eq!(world.inbox(&world.ada).await, [""; 0]);
    assert_eq!(world.counts(&world.ada).await["unread"], 0);
    assert_eq!(world.mark(&world.ada, &entry, json!({"read": true})).await.status, StatusCode::NOT_FOUND);
    world.comment(&world.ben, &item, "@ada more", None).await;
    let back = json!({"role": "member"});
    world.act(&world.owner, Method::PUT, &path.replace("/orgs/demo", ""), back).await;
    assert_eq!(world.inbox(&world.ada).await, [format!("{item}: ben mentioned you")], "of the first alone");
}

#[tokio::test]
async fn a_stakeholder_is_told_nothing_of_what_agents_say() {
    let world = World::new().await;
    let item = world.item(&world.stakeholder, "Greet people").await;
    let (_, _, token) = world.kit.agent_token(&world.org, &world.project).await;
    world.act(&world.ada, Method::PUT, &format!("/items/{item}/watch"), Value::Null).await;
    let say = json!({"body": "@stakeholder I began"});
    let path = format!("/orgs/demo/items/{item}/comments");
    let said = call(&world.router, Method::POST, &path, Some(&token), Some(say)).await;
    assert!(said.status.is_success(), "{}", said.text);
    world.work().await;
    assert_eq!(world.inbox(&world.stakeholder).await, [""; 0]);
    assert_eq!(world.inbox(&world.ada).await.len(), 1);
    let thread = said.json["id"].as_str().unwrap();
    world.comment(&world.ben, &item, "@stakeholder in the agent's thread", Some(thread)).await;
    assert_eq!(world.inbox(&world.stakeholder).await, [""; 0]);
    world.comment(&world.ben, &item, "@stakeholder in the open", None).await;
    assert_eq!(world.inbox(&world.stakeholder).await, [format!("{item}: ben mentioned you")]);
}

#[tokio::test]
async fn who_may_no_longer_start_ai_work_no_longer_sees_what_agents_said() {
    let world = World::new().await;
    let item = world.item(&world.ben, "Greet people").await;
    let (_, _, token) = world.kit.agent_token(&world.org, &world.project).await;
    let path = format!("/orgs/demo/items/{item}/comments");
    call(&world.router, Method::POST, &path, Some(&token), Some(json!({"body": "I began"}))).await;
    world.work().await;
    assert_eq!(world.inbox(&world.ben).await.len(), 1);
    let member = format!("/orgs/demo/members/{}", world.ben.id);
    let edit = json!({"version": 1, "canStartAiWork": false});
    let changed = world.call(&world.owner, Method::PATCH, &member, Some(edit)).await;
    assert!(changed.status.is_success(), "{}", changed.text);
    assert_eq!(world.inbox(&world.ben).await, [""; 0]);
}

#[tokio::test]
async fn a_deleted_item_is_in_no_inbox() {
    let world = World::new().await;
    let item = world.item(&world.ada, "Greet people").await;
    world.comment(&world.ben, &item, "hello", None).await;
    let reply = world.call(&world.ada, Method::DELETE, &format!("/orgs/demo/items/{item}"), None).await;
    assert!(reply.status.is_success(), "{}", reply.text);
    assert_eq!(world.inbox(&world.ada).await, [""; 0]);
    assert_eq!(world.counts(&world.ada).await["unread"], 0);
}

#[tokio::test]
async fn a_bound_token_sees_the_inbox_of_its_organization() {
    let world = World::new().await;
    let other = world.kit.org("other").await;
    let item = world.item(&world.ada, "Greet people").await;
    world.comment(&world.ben, &item, "hello", None).await;
    for (org, seen) in [(&world.org, 1), (&other, 0)] {
        let token = world.kit.token(world.ada.id, scopes(), Some(org)).await;
        let reply = call(&world.router, Method::GET, "/me/notifications", Some(&token), None).await;
        assert_eq!(reply.json.as_array().unwrap().len(), seen, "{}", reply.text);
    }
}

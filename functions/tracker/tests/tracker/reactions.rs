//! Reactions: six emoji, each once, however often and by however many at once.

use futures::future::join_all;
use http::Method;
use serde_json::{Value, json};
use svc_app::messages::{ClearReactions, Message};
use svc_domain::identity::{Member, OrgRole, ProjectRole, Scope};
use svc_domain::ids::AvatarId;
use svc_storage::{Condition, Op, Query, Range, keys};
use svc_testkit::{Reply, call};

use crate::world::{World, person};

/// A comment of Ada's on a new item; the address of its reactions.
async fn comment(world: &World) -> (String, String) {
    world.item("Item").await;
    let comment = world.post("/items/PRJ-1/comments", json!({"body": "Text"})).await.json;
    let id = comment["id"].as_str().unwrap().to_owned();
    (format!("/items/PRJ-1/comments/{id}/reactions"), id)
}

async fn react(world: &World, token: &str, path: &str, emoji: &str) -> Reply {
    world.change_as(token, Method::PUT, path, json!({"emoji": emoji})).await
}

async fn unreact(world: &World, token: &str, path: &str, encoded: &str) -> Reply {
    let path = format!("/orgs/demo{path}/{encoded}");
    call(&world.router, Method::DELETE, &path, Some(token), None).await
}

async fn seen(world: &World, token: &str) -> Value {
    world.get_as(token, "/items/PRJ-1/comments").await.json["items"][0].clone()
}

#[tokio::test]
async fn reactions_are_added_and_removed_as_often_as_one_likes() {
    let world = World::new().await;
    let (path, _) = comment(&world).await;
    for _ in 0..2 {
        react(&world, &world.guest.token, &path, "\u{2764}").await.is(200);
    }
    react(&world, &world.guest.token, &path, "✅").await;
    world.kit.advance(jiff::SignedDuration::from_secs(1));
    let (agent, _, agent_token) = world.kit.agent_token(&world.org, &world.project).await;
    let reply = react(&world, &agent_token, &path, "❤️").await;
    let guest = json!({"id": world.guest.id, "displayName": "guest", "avatarKey": null, "agent": false});
    let bot = json!({"id": agent, "displayName": "agent", "avatarKey": null, "agent": true});
    let expected = |by_agent: bool| {
        json!([
            {"emoji": "❤️", "count": 2, "reactedByMe": by_agent, "users": [guest, bot]},
            {"emoji": "✅", "count": 1, "reactedByMe": false, "users": [guest]},
        ])
    };
    assert_eq!(reply.json["reactions"], expected(true));
    assert_eq!(seen(&world, &world.ada.token).await["reactions"], expected(false));

    // With its variation selector, without it, and when nothing is left of it.
    for encoded in ["%E2%9D%A4%EF%B8%8F", "%E2%9D%A4", "%e2%9d%a4"] {
        let reply = unreact(&world, &world.guest.token, &path, encoded).await;
        assert_eq!((reply.status.as_u16(), reply.text.as_str()), (204, ""));
    }
    let left = seen(&world, &world.guest.token).await["reactions"].clone();
    assert_eq!((&left[0]["count"], &left[0]["users"]), (&json!(1), &json!([bot])));
    assert_eq!(left[1]["reactedByMe"], true);
}

/// As people are called and look now, and not as when they reacted.
#[tokio::test]
async fn who_reacted_is_shown_with_their_picture_and_their_name_of_today() {
    let world = World::new().await;
    let (path, _) = comment(&world).await;
    react(&world, &world.guest.token, &path, "👀").await;
    let key = keys::member(world.org.id, world.guest.id);
    let row = world.kit.app.table.get(&key).await.unwrap().expect("a member");
    let picture = AvatarId(world.kit.app.uuid());
    let member: Member = row.read().unwrap();
    let member = Member { display_name: "Grace".into(), avatar: Some(picture), ..member };
    svc_testkit::write(&world.kit.app, vec![Op::replace(key.clone(), row.version, &member)]).await.unwrap();
    let shown = json!({"id": world.guest.id, "displayName": "Grace", "avatarKey": picture, "agent": false});
    assert_eq!(seen(&world, &world.ada.token).await["reactions"][0]["users"], json!([shown]));

    svc_testkit::write(&world.kit.app, vec![Op::delete(key, Condition::Present)]).await.unwrap();
    let left = seen(&world, &world.ada.token).await["reactions"][0]["users"][0].clone();
    assert_eq!((&left["displayName"], &left["avatarKey"]), (&json!("guest"), &Value::Null), "who left");
}

#[tokio::test]
async fn what_is_none_of_the_six_is_refused_and_named() {
    let world = World::new().await;
    let (path, _) = comment(&world).await;
    for emoji in ["😀", "👍🏽", "", "thumbsUp", "👍👍"] {
        let reply = react(&world, &world.ada.token, &path, emoji).await;
        assert_eq!((reply.status.as_u16(), reply.problem()), (422, "validation-failed"), "{emoji}");
        assert_eq!(reply.json["errors"]["emoji"], json!(["Use one of 👍 👎 ❤️ 🎉 👀 ✅."]));
    }
    for encoded in ["%F0%9F%98%80", "x", "%F0%9F%91%8D%20"] {
        let reply = unreact(&world, &world.ada.token, &path, encoded).await;
        assert_eq!((reply.status.as_u16(), reply.problem()), (422, "validation-failed"), "{encoded}");
    }
    let no_text = unreact(&world, &world.ada.token, &path, "%FF").await;
    assert!(no_text.status.is_client_error(), "{}", no_text.text);
    assert_eq!(seen(&world, &world.ada.token).await["reactions"], json!([]));
}

#[tokio::test]
async fn who_may_not_comment_may_not_react() {
    let world = World::new().await;
    let (path, _) = comment(&world).await;
    let reader = world.kit.token(world.ada.id, &[Scope::Read], None).await;
    assert_eq!(react(&world, &reader, &path, "👍").await.problem(), "missing-scope");
    assert_eq!(unreact(&world, &reader, &path, "%F0%9F%91%8D").await.problem(), "missing-scope");
    assert_eq!(react(&world, &world.outsider.token, &path, "👍").await.problem(), "not-found");
    // A stakeholder finds no comment of an agent to react to.
    let (_, _, agent) = world.kit.agent_token(&world.org, &world.project).await;
    let hidden = world.post_as(&agent, "/items/PRJ-1/comments", json!({"body": "Text"})).await.json;
    let hidden = format!("/items/PRJ-1/comments/{}/reactions", hidden["id"].as_str().unwrap());
    assert_eq!(react(&world, &world.ada.token, &hidden, "👍").await.problem(), "not-found");
    assert_eq!(react(&world, &world.owner, &hidden, "👍").await.status, 200);

    let archive = json!({"version": 1, "archived": true});
    world.change_as(&world.owner, Method::PATCH, "/projects/PRJ", archive).await;
    assert_eq!(react(&world, &world.ada.token, &path, "👍").await.problem(), "project-archived");
    assert_eq!(unreact(&world, &world.ada.token, &path, "%F0%9F%91%8D").await.problem(), "project-archived");
}

#[tokio::test]
async fn adding_again_is_known_not_to_be_the_first_time() {
    let world = World::new().await;
    let (path, id) = comment(&world).await;
    let row = keys::reaction(
        world.org.id,
        &"PRJ-1".parse().unwrap(),
        id.parse().unwrap(),
        "eyes",
        svc_domain::ids::ActorId::User(world.bob.id),
    );
    let first_at = async || {
        let row = world.kit.app.table.get(&row).await.unwrap().unwrap();
        row.read::<Value>().unwrap()["firstAt"].clone()
    };
    react(&world, &world.bob.token, &path, "👀").await;
    let first = first_at().await;
    for _ in 0..2 {
        world.kit.advance(jiff::SignedDuration::from_hours(1));
        unreact(&world, &world.bob.token, &path, "%F0%9F%91%80").await;
        assert_eq!(seen(&world, &world.bob.token).await["reactions"], json!([]));
        react(&world, &world.bob.token, &path, "👀").await;
        assert_eq!(seen(&world, &world.bob.token).await["reactions"][0]["count"], 1);
        assert_eq!(first_at().await, first);
    }
}

#[tokio::test]
async fn deleting_a_comment_clears_its_reactions_and_that_there_were_any() {
    let world = World::new().await;
    let (path, id) = comment(&world).await;
    world.post("/items/PRJ-1/comments", json!({"body": "Reply", "replyTo": id})).await;
    for token in [&world.bob.token, &world.guest.token] {
        react(&world, token, &path, "👍").await;
    }
    unreact(&world, &world.bob.token, &path, "%F0%9F%91%8D").await;
    let delete = format!("/orgs/demo/items/PRJ-1/comments/{id}");
    call(&world.router, Method::DELETE, &delete, Some(&world.ada.token), None).await.is(204);
    let gone = seen(&world, &world.bob.token).await;
    assert_eq!(
        (&gone["reactions"], &gone["canReact"], &gone["deleted"]),
        (&json!([]), &json!(false), &json!(true))
    );
    assert_eq!(react(&world, &world.bob.token, &path, "👍").await.problem(), "not-found");
    assert_eq!(unreact(&world, &world.guest.token, &path, "%F0%9F%91%8D").await.problem(), "not-found");

    let item = "PRJ-1".parse().unwrap();
    let left = async || {
        let prefix = Range::Prefix(keys::reactions_prefix(id.parse().unwrap()));
        let query = Query::new(keys::item_pk(world.org.id, &item), prefix, 100);
        world.kit.app.table.query(&query).await.unwrap().rows.len()
    };
    assert_eq!(left().await, 2);
    let org = world.org.id;
    let comment = id.parse().unwrap();
    let message = Message::from(ClearReactions { org, item: item.clone(), comment });
    world.kit.advance(jiff::SignedDuration::from_mins(2));
    let told = world.kit.app.queue.receive(10, std::time::Duration::ZERO).await.unwrap();
    assert_eq!(
        told.iter()
            .map(|m| serde_json::from_str(&m.body).unwrap())
            .filter(|told| !matches!(told, Message::Notify(_)))
            .collect::<Vec<Message>>(),
        std::slice::from_ref(&message)
    );
    for _ in 0..2 {
        svc_workers::handle(&world.kit.app, &message).await.unwrap();
        assert_eq!(left().await, 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn thirty_two_who_react_at_once_are_all_counted_and_nobody_twice() {
    let world = World::new().await;
    let (path, _) = comment(&world).await;
    let mut tokens = Vec::new();
    for n in 0..32 {
        let one = person(&world.kit, &world.org, &format!("p{n}@example.com"), OrgRole::Guest).await;
        world.kit.project_member(&world.org, &world.project, one.id, ProjectRole::Member).await;
        tokens.push(one.token);
    }
    // Each of them three times, in two processes.
    let routers = [&world.router, &world.elsewhere];
    let calls = (0..96).map(|n: usize| {
        let (router, token, path) =
            (routers[n % 2].clone(), tokens[n % 32].clone(), format!("/orgs/demo{path}"));
        tokio::spawn(async move {
            call(&router, Method::PUT, &path, Some(&token), Some(json!({"emoji": "🎉"}))).await
        })
    });
    for reply in join_all(calls).await {
        let reply = reply.unwrap();
        assert_eq!(reply.status, 200, "{}", reply.text);
    }
    let reactions = seen(&world, &world.ada.token).await["reactions"].clone();
    assert_eq!((reactions.as_array().unwrap().len(), &reactions[0]["count"]), (1, &json!(32)));
    let users = reactions[0]["users"].as_array().unwrap();
    let ids: std::collections::BTreeSet<_> = users.iter().map(|user| user["id"].as_str().unwrap()).collect();
    assert_eq!((users.len(), ids.len()), (32, 32));
}

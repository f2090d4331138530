//! A person whose account an admin of the instance disabled is told nothing, wherever and by whatever.

use http::Method;
use serde_json::json;
use svc_app::administration::{AdminCaller, disable_account, enable_account};
use svc_domain::identity::OrgRole;
use svc_testkit::scopes;

use crate::delivery::Told;
use crate::receiver::Receiver;
use crate::webhooks::{deliveries, webhook, world};
use crate::world::{Person, World};

async fn disable(world: &World, who: &Person) {
    disable_account(&world.kit.app, AdminCaller::Console, who.id).await.unwrap();
}

#[tokio::test]
async fn nothing_that_waits_is_sent_and_nothing_new_comes() {
    let told = Told::new().await;
    let slack = told.in_slack().await;
    let kinds = json!([
        {"kind": "mentioned", "inApp": true, "email": "immediate", "chat_2": "immediate"},
        {"kind": "commented", "inApp": true, "email": "digest", "chat_2": "off"},
    ]);
    told.ask(Method::PUT, "/me/notification-preferences", kinds).await;
    told.says("before @ada").await;
    told.says("for the digest").await;
    let ada = &told.world.ada;
    disable(&told.world, ada).await;
    told.says("after @ada").await;
    told.later(24 * 3_600).await;
    assert_eq!(told.post.subjects(), [""; 0]);
    assert_eq!(told.platform.messages().len(), 0);
    assert_eq!((told.waiting(told.by_mail()).await, told.waiting(slack).await), (0, 0));
    enable_account(&told.world.kit.app, AdminCaller::Console, ada.id).await.unwrap();
    let token = told.world.kit.token(ada.id, scopes(), None).await;
    let back = Person { token, ..ada.clone() };
    let entries = told.world.entries(&back, "").await;
    let of_before = entries.iter().all(|entry| entry["unreadCount"] == 2);
    assert!(entries.len() == 1 && of_before, "of what happened meanwhile nothing: {entries:?}");
}

/// Whoever a broken channel belonged to was mailed, whatever became of their account.
#[tokio::test]
async fn nobody_disabled_is_mailed_of_a_broken_channel() {
    let told = Told::new().await;
    let world = &told.world;
    let slack = told.in_slack().await;
    told.platform.answers(404, None, "no_service");
    told.says("hello @ada").await;
    told.send(slack).await;
    disable(world, &world.ada).await;
    told.fan_out().await;
    assert_eq!(told.post.subjects(), [""; 0]);

    let admin = world.kit.user(&world.org, "chief@example.com", OrgRole::Admin, false).await;
    let admin = Person { id: admin, token: world.kit.token(admin, scopes(), None).await };
    let new = json!({"type": "chat_2", "name": "Ops", "webhookUrl": told.platform.slack()});
    let path = "/orgs/demo/notification-channels";
    let made = world.call(&world.owner, Method::POST, path, Some(new)).await.json;
    let one = format!("{path}/{}", made["channel"]["id"].as_str().unwrap());
    let modes = json!({"modes": {"transitioned": "immediate"}});
    world.call(&world.owner, Method::PATCH, &one, Some(modes)).await;
    let item = format!("/orgs/demo/items/{}", told.item);
    let now = world.call(&world.ben, Method::GET, &item, None).await.json;
    let moved = json!({"version": now["version"], "state": "In progress"});
    world.call(&world.ben, Method::POST, &format!("{item}/transition"), Some(moved)).await;
    disable(world, &admin).await;
    told.platform.answers(404, None, "no_service");
    told.fan_out().await;
    told.later(1).await;
    world.work().await;
    let mailed: Vec<String> = told.post.take().into_iter().map(|mail| mail.to).collect();
    assert_eq!(mailed, ["owner@example.com"]);
}

#[tokio::test]
async fn a_webhook_that_they_saved_tells_nothing() {
    let (world, receiver) = (world().await, Receiver::new().await);
    let (hook, _) = webhook(&world, &world.owner, &receiver, json!({})).await;
    world.item(&world.ada, "Before").await;
    assert_eq!(receiver.delivered().len(), 1);
    let admin = world.kit.user(&world.org, "chief@example.com", OrgRole::Admin, false).await;
    let admin = Person { id: admin, token: world.kit.token(admin, scopes(), None).await };
    disable(&world, &world.owner).await;
    world.item(&world.ada, "After").await;
    assert_eq!(receiver.delivered().len(), 0);
    let log = deliveries(&World { owner: admin, ..world }, &hook).await;
    assert_eq!(log[0]["state"], "skipped", "{log:?}");
}

/// The writer was told that they are told.
#[tokio::test]
async fn a_writer_is_told_that_a_mention_does_not_reach_them() {
    let world = World::new().await;
    let item = world.item(&world.ada, "Greet people").await;
    disable(&world, &world.ben).await;
    let path = format!("/items/{item}/comments");
    let said = world.act(&world.ada, Method::POST, &path, json!({"body": "@ben and @stakeholder"})).await;
    let reach = said["reach"].as_array().unwrap();
    let outcomes: Vec<_> = reach.iter().map(|one| (&one["name"], &one["outcome"])).collect();
    let [ben, stakeholder, nobody, told] = ["ben", "stakeholder", "nobody", "told"].map(|word| json!(word));
    assert_eq!(outcomes, [(&ben, &nobody), (&stakeholder, &told)]);
    assert_eq!(reach[0]["reason"], "The account of ben is disabled: ben is not told.");
}

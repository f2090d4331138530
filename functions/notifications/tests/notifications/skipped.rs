//! What a webhook does not send although a delivery of it was made: it no longer fits, or cannot be signed.

use http::Method;
use serde_json::{Value, json};
use svc_app::sealing::Sealing;
use svc_domain::claim::Claim;
use svc_domain::ids::{Actor, ActorId, AgentId};
use svc_domain::item::Item;
use svc_domain::webhook::{RETRIES, Webhooks};
use svc_storage::{Op, keys};

use crate::receiver::Receiver;
use crate::webhooks::{deliveries, pass, view, webhook, world};
use crate::world::World;

/// Moves an item to a project that the webhook does not tell of, and gives it a secret name there.
async fn hide(world: &World, item: &str) {
    let path = format!("/orgs/demo/items/{item}");
    let shown = world.call(&world.owner, Method::GET, &path, None).await.json;
    let to = json!({"version": shown["version"], "project": "SEC"});
    let moved = world.act(&world.owner, Method::POST, &format!("/items/{item}/transfer"), to).await;
    let renamed = json!({"version": moved["version"], "title": "SECRET"});
    let path = format!("/items/{}", moved["key"].as_str().unwrap());
    world.act(&world.owner, Method::PATCH, &path, renamed).await;
}

async fn replay(world: &World, hook: &str, delivery: &Value) {
    let path = format!("{hook}/deliveries/{}/replay", delivery["id"].as_str().unwrap());
    world.act(&world.owner, Method::POST, &path, json!({})).await;
}

/// What an item was in a chosen project, it was for ever: replays and retries told what it is in another.
#[tokio::test]
async fn an_item_that_left_the_chosen_projects_is_told_of_no_more() {
    let (world, receiver) = (world().await, Receiver::new().await);
    world.kit.project(&world.org, "SEC").await;
    let (hook, _) = webhook(&world, &world.owner, &receiver, json!({"projects": ["PRJ"]})).await;
    let first = world.item(&world.ada, "First").await;
    world.comment(&world.ada, &first, "hello", None).await;
    assert_eq!(receiver.delivered().len(), 2);
    hide(&world, &first).await;
    for delivery in deliveries(&world, &hook).await {
        replay(&world, &hook, &delivery).await;
    }
    receiver.answers([500]);
    let second = world.item(&world.ada, "Second").await;
    assert_eq!(receiver.delivered().len(), 1, "the first attempt alone, and no replay");
    hide(&world, &second).await;
    pass(&world, RETRIES[0]).await;
    assert_eq!(receiver.delivered().len(), 0);
    let log = deliveries(&world, &hook).await;
    let why = "The webhook does not send such events, or events of this project.";
    assert!(log.iter().all(|one| one["state"] == "skipped" && one["skippedReason"] == why), "{log:?}");
    assert_eq!(log.len(), 3);
}

/// An edit counted for what happens later only: what waited went to the new address all the same.
#[tokio::test]
async fn what_waits_is_asked_what_the_webhook_tells_now() {
    let (world, receiver, other) = (world().await, Receiver::new().await, Receiver::new().await);
    world.kit.project(&world.org, "SEC").await;
    let secret = json!({"type": "task", "title": "Secret"});
    for change in [json!({"projects": ["PRJ"]}), json!({"events": ["comment.created"]})] {
        let (hook, _) = webhook(&world, &world.owner, &receiver, json!({})).await;
        receiver.answers([500]);
        world.act(&world.owner, Method::POST, "/projects/SEC/items", secret.clone()).await;
        assert_eq!(receiver.delivered().len(), 1);
        let mut change = change;
        change["version"] = view(&world, &hook).await["version"].clone();
        change["url"] = json!(other.url);
        world.act(&world.owner, Method::PATCH, &hook, change).await;
        pass(&world, RETRIES[0]).await;
        assert_eq!((receiver.delivered().len(), other.delivered().len()), (0, 0));
        let log = deliveries(&world, &hook).await;
        assert_eq!(log[0]["state"], "skipped", "{log:?}");
        world.call(&world.owner, Method::DELETE, &format!("/orgs/demo{hook}"), None).await;
    }
}

/// After a restore without the key, receivers got requests with an empty signature.
#[tokio::test]
async fn nothing_is_sent_unsigned_and_people_are_told_what_to_do() {
    let (world, receiver) = (world().await, Receiver::new().await);
    let (hook, _) = webhook(&world, &world.owner, &receiver, json!({})).await;
    let app = &world.kit.app;
    assert!(view(&world, &hook).await["problem"].is_null());
    assert_eq!(svc_app::silent::silent(app).await.unwrap(), []);
    lose_key(&world).await;
    world.item(&world.ada, "First").await;
    let test = world.act(&world.owner, Method::POST, &format!("{hook}/test"), json!({})).await;
    assert_eq!(receiver.delivered().len(), 0);
    let why = test["attempts"][0]["error"].as_str().unwrap();
    assert!(why.contains("could not be signed") && why.contains("Rotate the secret"), "{why}");
    let problem = view(&world, &hook).await["problem"].as_str().unwrap().to_owned();
    assert!(problem.contains("Rotate the secret"), "{problem}");
    let found = svc_app::silent::silent(app).await.unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].what, "the webhook \"n8n\" of the organization demo");
    assert!(found[0].mend.contains("svc webhook rotate"), "{found:?}");

    let rotated = world.act(&world.owner, Method::POST, &format!("{hook}/rotate"), json!({})).await;
    assert!(rotated["webhook"]["problem"].is_null());
    pass(&world, RETRIES[0]).await;
    let sent = receiver.delivered();
    assert_eq!(sent.len(), 1, "what waited is sent now");
    assert!(sent[0].is_signed_with(rotated["secret"].as_str().unwrap()));
}

/// The secrets of the organization's webhooks as another key sealed them.
async fn lose_key(world: &World) {
    let app = &world.kit.app;
    let row = app.table.get(&keys::webhooks(world.org.id)).await.unwrap().unwrap();
    let mut webhooks: Webhooks = row.read().unwrap();
    for webhook in &mut webhooks.webhooks {
        let purpose = format!("webhook {}", webhook.id);
        webhook.secret = Sealing::new(&[9; 32]).seal(&*app.ids, &purpose, "whsec_AAAA");
    }
    svc_testkit::write(app, vec![Op::replace(row.key, row.version, &webhooks)]).await.unwrap();
}

/// The claim of an item named the agent, which the documentation denies.
#[tokio::test]
async fn agents_are_named_to_webhooks_of_their_work_only() {
    let (world, receiver) = (world().await, Receiver::new().await);
    let (hook, _) = webhook(&world, &world.owner, &receiver, json!({})).await;
    let item = world.item(&world.ada, "First").await;
    let app = &world.kit.app;
    let row = app.table.get(&keys::item(world.org.id, &item.parse().unwrap())).await.unwrap().unwrap();
    let mut claimed: Item = row.read().unwrap();
    let agent = Actor { id: ActorId::Agent(AgentId(app.uuid())), name: "Builder".into() };
    claimed.claim = Some(Claim::begin(agent, app.now()));
    svc_testkit::write(app, vec![Op::replace(row.key, row.version, &claimed)]).await.unwrap();
    receiver.delivered();
    world.comment(&world.ada, &item, "hello", None).await;
    let sent = receiver.delivered()[0].json();
    assert_eq!(sent["data"]["item"]["claim"]["holderName"], "an agent", "{sent}");
    let edit = json!({"version": 1, "agentsWork": true});
    world.act(&world.owner, Method::PATCH, &hook, edit).await;
    world.comment(&world.ada, &item, "again", None).await;
    let sent = receiver.delivered()[0].json();
    assert_eq!(sent["data"]["item"]["claim"]["holderName"], "Builder", "{sent}");
}

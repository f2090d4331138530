//! What an operator is told of chats and webhooks that nothing gets to.

use http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_app::silent::silent;
use svc_domain::webhook::DISABLED_AFTER;

use crate::delivery::Told;
use crate::receiver::Receiver;
use crate::webhooks::{view, webhook, world};
use crate::world::World;

async fn named(world: &World) -> Vec<String> {
    let found = silent(&world.kit.app).await.unwrap();
    found.into_iter().map(|silent| format!("{}: {}", silent.what, silent.why)).collect()
}

#[tokio::test]
async fn an_operator_is_told_of_chats_whose_messages_were_given_up() {
    let told = Told::new().await;
    let to = told.in_slack().await;
    assert_eq!(named(&told.world).await, [""; 0]);
    told.platform.answers(400, None, "invalid_payload");
    told.says("first").await;
    told.send(to).await;
    let given_up = "the chat \"Slack\" of ada@example.com: the last message was given up: Slack answered 400: invalid_payload";
    assert_eq!(named(&told.world).await, [given_up]);
    told.later(2).await;
    told.says("second").await;
    told.later(2).await;
    assert_eq!(named(&told.world).await, [""; 0], "the next one arrived");
    // A chat that hangs was told of after a day.
    told.platform.answers(503, None, "away");
    told.says("third").await;
    told.send(to).await;
    let since = told.world.kit.now();
    let [silent] = &named(&told.world).await[..] else { panic!("it is told of at once") };
    assert!(silent.contains(&format!("nothing has arrived there since {since}: ")), "{silent}");
    let mine = told.world.call(&told.world.ada, Method::GET, "/me/notification-channels", None).await.json;
    let seen = &mine["channels"][0];
    assert_eq!((&seen["status"], &seen["failingSince"]), (&json!("active"), &json!(since.to_string())));
    assert!(seen["lastError"].is_string(), "{seen}");
    told.later(10).await;
    assert_eq!(named(&told.world).await, [""; 0], "it answered again");
    let new = json!({"type": "chat_3", "name": "Ops", "webhookUrl": told.platform.discord()});
    let ours = "/orgs/demo/notification-channels";
    let made = told.world.call(&told.world.owner, Method::POST, ours, Some(new)).await.json;
    told.platform.answers(404, None, json!({"code": 10_015, "message": "Unknown Webhook"}).to_string());
    let test = format!("{ours}/{}/test", made["channel"]["id"].as_str().unwrap());
    told.world.call(&told.world.owner, Method::POST, &test, None).await;
    assert_eq!(
        named(&told.world).await,
        ["the chat \"Ops\" of the organization demo: it is broken: Unknown Webhook"]
    );
}

#[tokio::test]
async fn an_operator_is_told_of_webhooks_that_fail_or_are_disabled_but_not_of_those_turned_off() {
    let (world, receiver) = (world().await, Receiver::new().await);
    let (hook, _) = webhook(&world, &world.owner, &receiver, json!({})).await;
    receiver.answers([500, 500]);
    world.item(&world.ada, "One").await;
    let since = world.kit.now();
    let failing =
        format!("the webhook \"n8n\" of the organization demo: its deliveries have failed since {since}");
    assert_eq!(named(&world).await, [failing]);
    world.kit.advance(DISABLED_AFTER + SignedDuration::from_secs(1));
    world.item(&world.ada, "Two").await;
    let disabled = "the webhook \"n8n\" of the organization demo: it is disabled, because its deliveries failed for three days";
    assert_eq!(named(&world).await, [disabled]);
    for disabled in [false, true] {
        let edit = json!({"version": view(&world, &hook).await["version"], "disabled": disabled});
        let changed: Value = world.act(&world.owner, Method::PATCH, &hook, edit).await;
        assert_eq!(changed["disabled"], disabled);
    }
    assert_eq!(named(&world).await, [""; 0]);
}

//! Webhooks and channels of an organization that are named and tested by people.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::delivery::Told;
use crate::receiver::Receiver;
use crate::webhooks::{deliveries, view, webhook, world};

/// Commands name them, and failed where two had one name.
#[tokio::test]
async fn a_webhook_has_its_name_alone_in_its_organization() {
    let (world, receiver) = (world().await, Receiver::new().await);
    let (hook, _) = webhook(&world, &world.owner, &receiver, json!({})).await;
    let ask = async |method, path: &str, body| {
        world.call(&world.owner, method, &format!("/orgs/demo{path}"), Some(body)).await
    };
    let new = json!({"name": " N8N ", "url": receiver.url, "events": ["item.created"]});
    let refused = ask(Method::POST, "/webhooks", new).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text);
    assert!(refused.text.contains("a name of its own"), "{}", refused.text);
    let (other, _) = webhook(&world, &world.owner, &receiver, json!({"name": "Other"})).await;
    let refused = ask(Method::PATCH, &other, json!({"version": 1, "name": "n8n"})).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text);
    let renamed = ask(Method::PATCH, &hook, json!({"version": 1, "name": "N8n"})).await;
    assert_eq!(renamed.json["name"], "N8n", "its own in another case: {}", renamed.text);
}

#[tokio::test]
async fn a_channel_has_its_name_alone_in_its_organization() {
    let told = Told::new().await;
    let ours = "/orgs/demo/notification-channels";
    let ask = async |method, path: &str, body: Value| {
        told.world.call(&told.world.owner, method, path, Some(body)).await
    };
    let new = |name: &str| json!({"type": "chat_2", "name": name, "webhookUrl": told.platform.slack()});
    let made = ask(Method::POST, ours, new("Ops")).await;
    assert_eq!(ask(Method::POST, ours, new("ops ")).await.status, StatusCode::CONFLICT);
    let other = ask(Method::POST, ours, new("Builds")).await;
    let path = |made: &Value| format!("{ours}/{}", made["channel"]["id"].as_str().unwrap());
    let refused = ask(Method::PATCH, &path(&other.json), json!({"name": "OPS"})).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text);
    assert_eq!(ask(Method::PATCH, &path(&made.json), json!({"name": "OPS"})).await.json["name"], "OPS");
}

/// A test that was answered with 410 disabled the webhook, and one that failed began the days of its failing.
#[tokio::test]
async fn a_test_that_fails_counts_for_nothing() {
    let (world, receiver) = (world().await, Receiver::new().await);
    let (hook, _) = webhook(&world, &world.owner, &receiver, json!({})).await;
    for status in [410, 500] {
        receiver.answers([status]);
        let sent = world.act(&world.owner, Method::POST, &format!("{hook}/test"), json!({})).await;
        assert_eq!((&sent["state"], &sent["attempts"][0]["status"]), (&json!("failed"), &json!(status)));
        let shown = view(&world, &hook).await;
        assert_eq!((&shown["disabled"], &shown["failingSince"]), (&json!(false), &Value::Null), "{shown}");
    }
    receiver.answers([500]);
    world.item(&world.ada, "One").await;
    assert!(view(&world, &hook).await["failingSince"].is_string());
    world.act(&world.owner, Method::POST, &format!("{hook}/test"), json!({})).await;
    assert!(view(&world, &hook).await["failingSince"].is_null(), "one that arrives shows that it works");
    assert_eq!(deliveries(&world, &hook).await.len(), 4);
}

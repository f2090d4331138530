//! What waits because a platform asked to wait, or because the worker that had it is gone.

use futures::FutureExt as _;
use http::Method;
use jiff::SignedDuration;
use serde_json::json;
use svc_app::notifications::deliver;

use crate::delivery::Told;

#[tokio::test]
async fn a_hold_is_shown_and_a_test_that_arrives_releases_it() {
    let told = Told::new().await;
    let to = told.in_slack().await;
    let channel = async || {
        let list = told.world.call(&told.world.ada, Method::GET, "/me/notification-channels", None).await;
        list.json["channels"][0].clone()
    };
    assert_eq!(channel().await.get("heldUntil"), None);
    told.platform.answers(429, Some(3_600), "rate_limited");
    told.says("first").await;
    told.send(to).await;
    let until = told.world.kit.now() + SignedDuration::from_secs(3_600);
    let held = channel().await;
    assert_eq!((&held["status"], &held["heldUntil"]), (&json!("active"), &json!(until.to_string())));
    let test = format!("/me/notification-channels/{}/test", held["id"].as_str().unwrap());
    told.platform.answers(429, Some(60), "rate_limited");
    let refused = told.world.call(&told.world.ada, Method::POST, &test, None).await;
    assert!(refused.json["error"].as_str().unwrap().contains("60 seconds"), "{}", refused.text);
    assert_eq!(channel().await["heldUntil"], held["heldUntil"], "a test that is held releases nothing");
    told.platform.texts();
    let arrived = told.world.call(&told.world.ada, Method::POST, &test, None).await;
    assert_eq!(arrived.json, json!({"ok": true}));
    assert_eq!(channel().await.get("heldUntil"), None);
    told.world.work_once().await;
    let sent = told.platform.texts();
    assert!(sent.len() == 2 && sent[1].contains("first"), "the test, and then what waited: {sent:?}");
    told.world.consistent().await;
}

#[tokio::test]
async fn a_hold_of_an_organizations_channel_is_shown_and_released_as_well() {
    let told = Told::new().await;
    let ours = "/orgs/demo/notification-channels";
    let owner =
        async |method, path: &str, body| told.world.call(&told.world.owner, method, path, body).await.json;
    let new = json!({"type": "chat_2", "name": "Ops", "webhookUrl": told.platform.slack()});
    let made = owner(Method::POST, ours, Some(new)).await;
    let path = format!("{ours}/{}", made["channel"]["id"].as_str().unwrap());
    owner(Method::PATCH, &path, Some(json!({"modes": {"transitioned": "immediate"}}))).await;
    told.platform.answers(429, Some(3_600), "rate_limited");
    let item = format!("/orgs/demo/items/{}", told.item);
    let now = told.world.call(&told.world.ada, Method::GET, &item, None).await.json;
    let moved = json!({"version": now["version"], "state": "In progress"});
    told.ask(Method::POST, &format!("{item}/transition"), moved).await;
    told.world.work_once().await;
    let list = owner(Method::GET, ours, None).await;
    assert!(list["channels"][0]["heldUntil"].is_string(), "{list}");
    told.platform.texts();
    assert_eq!(owner(Method::POST, &format!("{path}/test"), None).await, json!({"ok": true}));
    assert_eq!(owner(Method::GET, ours, None).await["channels"][0].get("heldUntil"), None);
    told.world.work_once().await;
    assert_eq!(told.platform.texts().len(), 2, "the test, and then what waited");
}

/// What a worker had when it was killed waited for the tick after two minutes.
#[tokio::test]
async fn what_a_dead_worker_had_is_sent_when_its_lease_is_over() {
    let told = Told::new().await;
    let to = told.in_slack().await;
    told.says("first").await;
    // It is dropped at the first pause after the lease was written: while it sends.
    let app = &told.world.kit.app;
    let mut dying = Box::pin(deliver(app, to));
    while told.world.kit.app.table.get(&svc_storage::keys::sending_head(to)).await.unwrap().is_none() {
        assert!(dying.as_mut().now_or_never().is_none(), "it sends");
        tokio::task::yield_now().await;
    }
    drop(dying);
    told.platform.texts();
    let again = deliver(app, to).await.unwrap().expect("another worker is told when to come again");
    assert!(again <= SignedDuration::from_secs(30), "{again}");
    told.world.kit.advance(again);
    assert_eq!(deliver(app, to).await.unwrap(), None);
    let sent = told.platform.texts();
    assert!(sent.len() == 1 && sent[0].contains("first"), "{sent:?}");
}

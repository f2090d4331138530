//! Whose channel breaks is told once, in the inbox and by mail.

use http::Method;
use serde_json::{Value, json};
use svc_app::messages::TellBroken;
use svc_app::notifications::tell_broken;

use crate::delivery::Told;

#[tokio::test]
async fn a_channel_that_is_gone_is_broken_and_its_owner_told_once() {
    let told = Told::new().await;
    let slack = told.in_slack().await;
    told.platform.answers(404, None, "no_service");
    told.says("hello @ada").await;
    told.send(slack).await;
    told.fan_out().await;
    let listed = told.world.call(&told.world.ada, Method::GET, "/me/notification-channels", None).await.json;
    assert_eq!(listed["channels"][0]["status"], "broken");
    assert_eq!(told.post.subjects(), ["Slack gets no more messages"]);
    let inbox = told.world.inbox(&told.world.ada).await;
    let line = "Slack: This chat takes no messages any more: no_service";
    assert!(inbox.iter().any(|entry| entry.starts_with(line)), "{inbox:?}");
    told.says("more @ada").await;
    told.later(5).await;
    told.fan_out().await;
    assert_eq!(told.platform.messages().len(), 1, "nothing is queued while it is broken");
    assert_eq!((told.post.subjects(), told.waiting(slack).await), (Vec::<String>::new(), 0));
    // A message about it that comes again, after it was mended, tells nobody.
    let id = listed["channels"][0]["id"].as_str().unwrap();
    told.ask(Method::POST, &format!("/me/notification-channels/{id}/test"), Value::Null).await;
    let message = TellBroken { destination: slack, id: uuid::Uuid::nil() };
    tell_broken(&told.world.kit.app, &message).await.unwrap();
    assert_eq!(told.post.subjects(), [""; 0]);
    let broken = |entry: &Value| entry["kind"] == "channelBroken" && entry["unreadCount"] == 1;
    let entries = told.world.entries(&told.world.ada, "").await;
    assert_eq!(entries.iter().filter(|entry| broken(entry)).count(), 1, "{entries:?}");
}

#[tokio::test]
async fn a_channel_of_the_organization_that_breaks_is_told_to_its_admins() {
    let told = Told::new().await;
    let world = &told.world;
    let new = json!({"type": "chat_2", "name": "Ops", "webhookUrl": told.platform.slack()});
    let path = "/orgs/demo/notification-channels";
    let made = world.call(&world.owner, Method::POST, path, Some(new)).await.json;
    let one = format!("{path}/{}", made["channel"]["id"].as_str().unwrap());
    let modes = json!({"modes": {"transitioned": "immediate"}});
    world.call(&world.owner, Method::PATCH, &one, Some(modes)).await;
    told.platform.answers(404, None, "no_service");
    let item = format!("/orgs/demo/items/{}", told.item);
    let now = world.call(&world.ben, Method::GET, &item, None).await.json;
    let moved = json!({"version": now["version"], "state": "In progress"});
    world.call(&world.ben, Method::POST, &format!("{item}/transition"), Some(moved)).await;
    told.fan_out().await;
    told.later(1).await;
    world.work().await;
    let owner = world.inbox(&world.owner).await;
    assert_eq!(owner, ["Ops: This chat takes no messages any more: no_service"]);
    for other in [&world.ada, &world.ben] {
        let inbox = world.inbox(other).await;
        assert!(!inbox.iter().any(|entry| entry.starts_with("Ops")), "{inbox:?}");
    }
}

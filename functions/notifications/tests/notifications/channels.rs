//! Channels of people and organizations (specification sections 2.7, 3.4, 4.1 and 7).

use http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::{Value, json};
use svc_storage::{Query, Range, keys};
use svc_testkit::{Reply, TestApp, send};
use uuid::Uuid;

use crate::platform::{Platform, reaching_loopback};
use crate::world::World;

const MINE: &str = "/me/notification-channels";
const OURS: &str = "/orgs/demo/notification-channels";

async fn world() -> (World, Platform) {
    let platform = Platform::start().await;
    (World::on(platform.kit()).await, platform)
}

async fn connect(world: &World, body: Value) -> Reply {
    world.call(&world.ada, Method::POST, MINE, Some(body)).await
}

async fn listed(world: &World) -> Value {
    world.call(&world.ada, Method::GET, MINE, None).await.json
}

#[tokio::test]
async fn a_webhook_is_connected_at_once_and_never_shown() {
    let (world, platform) = world().await;
    let made = connect(&world, json!({"type": "chat_2", "webhookUrl": platform.slack()})).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let channel = &made.json["channel"];
    assert_eq!((&channel["type"], &channel["status"]), (&json!("chat_2"), &json!("active")));
    assert_eq!(channel["target"], "127.0.0.1 …1234");
    assert!(made.json.get("connectCode").is_none());
    assert!(!made.text.contains("/services/"), "{}", made.text);
    let list = listed(&world).await;
    assert_eq!((&list["chat1Available"], &list["chat1BotUsername"]), (&json!(true), &json!("work_bot")));
    assert_eq!(list["channels"], json!([channel]));
    // Neither is it stored in clear text.
    let rows = world.kit.app.table.query_all(Query::new(keys::user_pk(world.ada.id), Range::All, 100)).await;
    assert!(rows.unwrap().iter().all(|row| !row.doc.contains("abcd1234") && !row.doc.contains("services")));
    let replaced = connect(&world, json!({"type": "chat_2", "webhookUrl": platform.slack()})).await;
    assert_ne!(replaced.json["channel"]["id"], channel["id"]);
    assert_eq!(listed(&world).await["channels"].as_array().unwrap().len(), 1, "at most one on a platform");
    let path = format!("{MINE}/{}", replaced.json["channel"]["id"].as_str().unwrap());
    assert_eq!(world.call(&world.ben, Method::DELETE, &path, None).await.status, StatusCode::NOT_FOUND);
    assert_eq!(world.call(&world.ada, Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(listed(&world).await["channels"], json!([]));
    world.consistent().await;
}

#[tokio::test]
async fn a_wrong_address_is_400_and_named() {
    let (world, platform) = world().await;
    for url in [
        json!("https://evil.example/services/T0000/B0000/abcd1234"),
        json!(platform.discord()),
        json!(format!("{}/../admin", platform.slack())),
        json!(format!("{}?x=1", platform.slack())),
        Value::Null,
    ] {
        let refused = connect(&world, json!({"type": "chat_2", "webhookUrl": url})).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.text);
        assert!(refused.json["errors"]["webhookUrl"].is_array(), "{}", refused.text);
    }
    let unknown = connect(&world, json!({"type": "chat_9"})).await;
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn without_a_bot_there_is_no_chat_1() {
    let world = World::new().await;
    assert_eq!(listed(&world).await["chat1Available"], false);
    let refused = connect(&world, json!({"type": "chat_1"})).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.text);
    assert!(refused.json["errors"]["type"].is_array(), "{}", refused.text);
}

#[tokio::test]
async fn a_chat_is_connected_by_its_code_once_and_in_time() {
    let (world, platform) = world().await;
    let made = connect(&world, json!({"type": "chat_1"})).await;
    assert_eq!(made.json["channel"]["status"], "pending", "{}", made.text);
    let code = made.json["connectCode"].as_str().unwrap().to_owned();
    assert_eq!(made.json["connectUrl"], format!("https://t.me/work_bot?start={code}"));
    assert!(code.len() <= 64 && !listed(&world).await.to_string().contains(&code), "shown once");
    let expires: jiff::Timestamp = made.json["expiresAt"].as_str().unwrap().parse().unwrap();
    assert_eq!(expires.duration_since(world.kit.now()), SignedDuration::from_mins(10));

    platform.says(987_654, "hello");
    platform.says(987_654, &format!("/start {code}"));
    let reader = Uuid::from_u128(1);
    assert!(svc_app::notifications::read_bot(&world.kit.app, reader).await.unwrap());
    let channel = listed(&world).await["channels"][0].clone();
    assert_eq!((&channel["status"], &channel["target"]), (&json!("active"), &json!("t.me …7654")));
    assert_eq!(platform.messages().len(), 1, "the chat hears of it");
    // Another process does not read at the same time, and a code counts once.
    assert!(!svc_app::notifications::read_bot(&world.kit.app, Uuid::from_u128(2)).await.unwrap());
    platform.says(1, &format!("/start {code}"));
    svc_app::notifications::read_bot(&world.kit.app, reader).await.unwrap();
    assert_eq!(listed(&world).await["channels"][0], channel);

    let late =
        connect(&world, json!({"type": "chat_1"})).await.json["connectCode"].as_str().unwrap().to_owned();
    world.kit.advance(SignedDuration::from_mins(11));
    platform.says(5, &format!("/start {late}"));
    svc_app::notifications::read_bot(&world.kit.app, reader).await.unwrap();
    assert_eq!(listed(&world).await["channels"][0]["status"], "pending");
    world.consistent().await;
}

#[tokio::test]
async fn a_test_that_arrives_makes_a_broken_channel_well() {
    let (world, platform) = world().await;
    for (kind, url, gone) in [
        ("chat_2", platform.slack(), "no_service".to_owned()),
        ("chat_3", platform.discord(), json!({"code": 10_015, "message": "Unknown Webhook"}).to_string()),
    ] {
        let made = connect(&world, json!({"type": kind, "webhookUrl": url})).await;
        let test = format!("{MINE}/{}/test", made.json["channel"]["id"].as_str().unwrap());
        let sent = world.call(&world.ada, Method::POST, &test, None).await;
        assert_eq!((sent.status, sent.json), (StatusCode::OK, json!({"ok": true})));
        platform.answers(404, None, gone);
        let failed = world.call(&world.ada, Method::POST, &test, None).await;
        assert_eq!(failed.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", failed.text);
        assert!(failed.json["error"].is_string(), "{}", failed.text);
        let channels = listed(&world).await["channels"].clone();
        let channel = channels.as_array().unwrap().iter().find(|one| one["type"] == kind).unwrap().clone();
        assert_eq!(channel["status"], "broken");
        assert!(channel["lastError"].is_string() && channel["failingSince"].is_string(), "{channel}");
        world.call(&world.ada, Method::POST, &test, None).await;
        let channels = listed(&world).await["channels"].clone();
        let channel = channels.as_array().unwrap().iter().find(|one| one["type"] == kind).unwrap().clone();
        assert_eq!((&channel["status"], &channel["lastError"]), (&json!("active"), &Value::Null));
        assert_eq!(channel["failingSince"], Value::Null);
    }
}

#[tokio::test]
async fn an_organization_has_named_channels_with_modes_of_its_kinds() {
    let (world, platform) = world().await;
    let ask = async |method: Method, path: &str, body: Option<Value>| {
        world.call(&world.owner, method, path, body).await
    };
    let list = ask(Method::GET, OURS, None).await.json;
    let kinds =
        ["transitioned", "sprintStarted", "sprintCompleted", "runSucceeded", "runFailed", "runNeedsInput"];
    assert_eq!(list["kinds"], json!(kinds));
    let new = json!({"type": "chat_3", "name": " Ops ", "webhookUrl": platform.discord()});
    let made = ask(Method::POST, OURS, Some(new)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let channel = &made.json["channel"];
    assert_eq!((&channel["name"], &channel["modes"]), (&json!("Ops"), &json!({})));
    let path = format!("{OURS}/{}", channel["id"].as_str().unwrap());
    let modes = json!({"modes": {"runFailed": "immediate", "transitioned": "digest"}});
    assert_eq!(ask(Method::PATCH, &path, Some(modes.clone())).await.json["modes"], modes["modes"]);
    let fewer =
        ask(Method::PATCH, &path, Some(json!({"name": "On call", "modes": {"runFailed": "off"}}))).await;
    assert_eq!(
        (&fewer.json["name"], &fewer.json["modes"]),
        (&json!("On call"), &json!({"runFailed": "off"}))
    );
    let wrong = ask(Method::PATCH, &path, Some(json!({"modes": {"mentioned": "immediate"}}))).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", wrong.text);
    assert_eq!(ask(Method::POST, &format!("{path}/test"), None).await.json, json!({"ok": true}));
    let group = ask(Method::POST, OURS, Some(json!({"type": "chat_1", "name": "Group"}))).await;
    assert!(group.json["connectUrl"].as_str().unwrap().contains("?startgroup="), "{}", group.text);
    assert_eq!(ask(Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(ask(Method::GET, OURS, None).await.json["channels"].as_array().unwrap().len(), 1);
    assert_eq!(world.call(&world.ada, Method::GET, OURS, None).await.status, StatusCode::FORBIDDEN);
    world.consistent().await;
}

#[tokio::test]
async fn teams_is_told_through_a_workflow_of_an_organization() {
    let (world, platform) = world().await;
    let ask = async |body: Value| world.call(&world.owner, Method::POST, OURS, Some(body)).await;
    let made = ask(json!({"type": "chat_4", "name": "Team", "webhookUrl": platform.teams()})).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let channel = &made.json["channel"];
    assert_eq!((&channel["status"], &channel["target"]), (&json!("active"), &json!("127.0.0.1 …cdef")));
    assert!(!made.text.contains("sig="), "{}", made.text);
    let rows = world.kit.app.table.query_all(Query::new(keys::org_pk(world.org.id), Range::All, 100)).await;
    assert!(rows.unwrap().iter().all(|row| !row.doc.contains("sig=")));
    let test = format!("{OURS}/{}/test", channel["id"].as_str().unwrap());
    let sent = async || world.call(&world.owner, Method::POST, &test, None).await;
    assert_eq!(sent().await.json, json!({"ok": true}));
    let (path, message) = platform.messages().remove(0);
    assert!(path.ends_with("&sig=abcDEF-_0123456789abcd"), "the whole address: {path}");
    let card = &message["attachments"][0];
    assert_eq!(card["contentType"], "application/vnd.microsoft.card.adaptive");
    platform.answers(429, Some(20), "{}");
    assert!(sent().await.json["error"].as_str().unwrap().contains("20 seconds"));
    platform.answers(404, None, json!({"error": {"code": "WorkflowNotFound"}}).to_string());
    assert_eq!(sent().await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let listed = world.call(&world.owner, Method::GET, OURS, None).await.json;
    assert_eq!(listed["channels"][0]["status"], "broken");
    for url in [json!(platform.teams().replace("&sig=", "&to=x&sig=")), json!(platform.slack()), Value::Null]
    {
        let refused = ask(json!({"type": "chat_4", "name": "Team", "webhookUrl": url})).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.text);
        assert!(refused.json["errors"]["webhookUrl"].is_array(), "{}", refused.text);
    }
    let mine = connect(&world, json!({"type": "chat_4", "webhookUrl": platform.teams()})).await;
    assert_eq!(mine.status, StatusCode::BAD_REQUEST, "{}", mine.text);
    assert!(mine.json["errors"]["type"].is_array(), "{}", mine.text);
    world.consistent().await;
}

#[tokio::test]
async fn the_bot_delivers_where_it_was_told_to_and_nobody_else_does() {
    let platform = Platform::start().await;
    let mut settings = platform.settings();
    settings.notifications.chat_1_webhook = true;
    let world = World::on(TestApp::with(settings).with_outbound(reaching_loopback())).await;
    let app = &world.kit.app;
    svc_app::notifications::tell_bot_where(app).await.unwrap();
    svc_app::notifications::tell_bot_where(app).await.unwrap();
    let told = platform.messages();
    let [(path, told)] = told.as_slice() else { panic!("told once: {told:?}") };
    assert!(path.ends_with("/setWebhook"), "{path}");
    assert_eq!(told["url"], "https://work.example.com/api/v1/notifications/chat-1/updates");
    assert!(!svc_app::notifications::read_bot(app, Uuid::from_u128(1)).await.unwrap(), "it is not asked");
    let secret = told["secret_token"].as_str().unwrap();
    let made = connect(&world, json!({"type": "chat_1"})).await;
    let text = format!("/start {}", made.json["connectCode"].as_str().unwrap());
    let update = json!({"update_id": 1, "message": {"chat": {"id": 987_654}, "text": text}}).to_string();
    let deliver = async |secret: Option<&str>| {
        let mut request = http::Request::post("/api/v1/notifications/chat-1/updates")
            .header("content-type", "application/json");
        if let Some(secret) = secret {
            request = request.header("x-telegram-bot-api-secret-token", secret);
        }
        send(&world.router, request.body(update.clone().into()).unwrap()).await.status
    };
    assert_eq!(deliver(None).await, StatusCode::UNAUTHORIZED);
    assert_eq!(deliver(Some("made up")).await, StatusCode::UNAUTHORIZED);
    assert_eq!(listed(&world).await["channels"][0]["status"], "pending");
    assert_eq!(deliver(Some(secret)).await, StatusCode::NO_CONTENT);
    assert_eq!(deliver(Some(secret)).await, StatusCode::NO_CONTENT, "again");
    assert_eq!(listed(&world).await["channels"][0]["status"], "active");
    world.consistent().await;
}

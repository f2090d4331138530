//! What people want to be told of, where, and what they make of what they are told.

use http::Method;
use serde_json::{Value, json};

use crate::caller::Caller;

const KINDS: [&str; 5] = ["commented", "mentioned", "assigned", "transitioned", "runFailed"];
const MODES: [&str; 3] = ["off", "immediate", "digest"];
const SLACK: &str = "https://hooks.slack.com/services/T0000/B0000/abcd1234";

pub(crate) async fn anything(caller: &mut Caller) -> Option<Value> {
    match caller.below(10) {
        0..2 => prefer(caller).await,
        2 => suggest(caller).await,
        3 => mute(caller).await,
        4 => connect(caller).await,
        5 => disconnect(caller).await,
        6 => connect_organization(caller).await,
        7 => disconnect_organization(caller).await,
        8 => mark(caller).await,
        _ => mark_all(caller).await,
    }
}

async fn prefer(caller: &mut Caller) -> Option<Value> {
    let wanted = json!([{
        "kind": caller.one(&KINDS), "inApp": caller.chance(90), "email": caller.one(&MODES),
        "chat_2": caller.one(&MODES), "chat_3": null,
    }]);
    caller.ask(Method::PUT, "/me/notification-preferences", Some(wanted)).await
}

async fn suggest(caller: &mut Caller) -> Option<Value> {
    let wanted = json!({"defaults": [{"kind": caller.one(&KINDS), "chat_2": caller.one(&MODES)}]});
    caller.ask(Method::PUT, "/orgs/demo/notification-defaults", Some(wanted)).await
}

async fn mute(caller: &mut Caller) -> Option<Value> {
    let hour = caller.below(24);
    caller.ask(Method::PATCH, "/me/notification-settings", Some(json!({"digestHour": hour}))).await
}

async fn connect(caller: &mut Caller) -> Option<Value> {
    let new = match caller.chance(70) {
        true => json!({"type": "chat_2", "webhookUrl": SLACK}),
        false => json!({"type": "chat_1"}),
    };
    let made = caller.ask(Method::POST, "/me/notification-channels", Some(new)).await?;
    caller.pool.put("channel", made["channel"]["id"].clone());
    Some(made)
}

async fn disconnect(caller: &mut Caller) -> Option<Value> {
    let path = format!("/me/notification-channels/{}", caller.text("channel")?);
    caller.ask(Method::DELETE, &path, None).await
}

async fn connect_organization(caller: &mut Caller) -> Option<Value> {
    let new = json!({"type": "chat_2", "name": caller.name("ops"), "webhookUrl": SLACK});
    let path = "/orgs/demo/notification-channels";
    let made = caller.ask(Method::POST, path, Some(new)).await?;
    let id = made["channel"]["id"].clone();
    caller.pool.put("org channel", id.clone());
    let modes = json!({"modes": {"transitioned": caller.one(&MODES), "runFailed": "immediate"}});
    caller.ask(Method::PATCH, &format!("{path}/{}", id.as_str()?), Some(modes)).await
}

async fn disconnect_organization(caller: &mut Caller) -> Option<Value> {
    let path = format!("/orgs/demo/notification-channels/{}", caller.text("org channel")?);
    caller.ask(Method::DELETE, &path, None).await
}

async fn mark(caller: &mut Caller) -> Option<Value> {
    let entries = caller.get("/me/notifications").await?;
    let entry = entries.as_array()?.first()?.clone();
    let path = format!("/me/notifications/{}", entry["id"].as_str()?);
    let mark = json!({"version": entry["version"], "done": caller.chance(50)});
    caller.ask(Method::PATCH, &path, Some(mark)).await
}

async fn mark_all(caller: &mut Caller) -> Option<Value> {
    let what = caller.one(&["read", "done"]);
    caller.ask(Method::POST, &format!("/me/notifications/{what}"), Some(json!({}))).await
}

//! What people want to be told of, and what organizations suggest (specification sections 2.7 and 4.1).

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_testkit::{call, scopes};

use crate::world::World;

const MINE: &str = "/me/notification-preferences";
const DEFAULTS: &str = "/orgs/demo/notification-defaults";

fn of_kind(list: &Value, kind: &str) -> Value {
    list.as_array().unwrap().iter().find(|entry| entry["kind"] == kind).cloned().unwrap_or_default()
}

#[tokio::test]
async fn preferences_have_every_kind_and_each_field_that_is_sent_is_written() {
    let world = World::new().await;
    let listed = world.call(&world.ada, Method::GET, MINE, None).await.json;
    // The fourteen of the specification, and six further ones.
    assert_eq!(listed.as_array().unwrap().len(), 20);
    let usual = json!({
        "kind": "mentioned", "inApp": true, "email": "immediate", "chat_1": null, "chat_2": null, "chat_3": null,
    });
    assert_eq!(of_kind(&listed, "mentioned"), usual);
    let set = json!([{"kind": "mentioned", "inApp": true, "email": "digest", "chat_2": "immediate"}]);
    let put = world.call(&world.ada, Method::PUT, MINE, Some(set)).await;
    assert_eq!(put.status, StatusCode::OK, "{}", put.text);
    assert_eq!(of_kind(&put.json, "mentioned")["chat_2"], "immediate");
    let again = json!([{"kind": "mentioned", "inApp": false, "email": "off"}]);
    world.call(&world.ada, Method::PUT, MINE, Some(again)).await;
    let listed = world.call(&world.ada, Method::GET, MINE, None).await.json;
    let written = json!({
        "kind": "mentioned", "inApp": false, "email": "off", "chat_1": null, "chat_2": null, "chat_3": null,
    });
    assert_eq!(of_kind(&listed, "mentioned"), written, "omitted chat fields become null");
    assert_eq!(of_kind(&listed, "assigned")["email"], "immediate", "kinds that are not sent stay");
    world.consistent().await;
}

#[tokio::test]
async fn wrong_preferences_are_refused_by_name_and_nothing_is_written() {
    let world = World::new().await;
    for (set, field) in [
        (json!([{"kind": "nothing", "inApp": true, "email": "off"}]), "0.kind"),
        (json!([{"kind": "assigned", "inApp": true, "email": "hourly"}]), "0.email"),
        (json!([{"kind": "assigned", "inApp": true, "email": "off", "chat_3": "x"}]), "0.chat_3"),
        (
            json!([{"kind": "assigned", "inApp": true, "email": "off"}, {"kind": "assigned", "inApp": true, "email": "off"}]),
            "1.kind",
        ),
    ] {
        let put = world.call(&world.ada, Method::PUT, MINE, Some(set)).await;
        assert_eq!(put.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", put.text);
        assert!(put.json["errors"].get(field).is_some(), "{field}: {}", put.text);
    }
    let listed = world.call(&world.ada, Method::GET, MINE, None).await.json;
    assert_eq!(of_kind(&listed, "assigned")["email"], "immediate");
}

#[tokio::test]
async fn defaults_replace_the_set_and_empty_ones_are_none() {
    let world = World::new().await;
    let set = json!({"defaults": [
        {"kind": "transitioned", "email": "immediate", "chat_2": "digest"},
        {"kind": "commented", "email": null, "chat_1": null},
    ]});
    let put = world.call(&world.owner, Method::PUT, DEFAULTS, Some(set)).await;
    assert_eq!(put.status, StatusCode::OK, "{}", put.text);
    let expected = json!([
        {"kind": "transitioned", "email": "immediate", "chat_1": null, "chat_2": "digest", "chat_3": null},
    ]);
    assert_eq!(world.call(&world.ada, Method::GET, DEFAULTS, None).await.json, expected);
    world.call(&world.owner, Method::PUT, DEFAULTS, Some(json!({"defaults": []}))).await;
    assert_eq!(world.call(&world.ada, Method::GET, DEFAULTS, None).await.json, json!([]));
}

#[tokio::test]
async fn digests_have_an_hour_and_a_zone_and_things_are_muted() {
    let world = World::new().await;
    let path = "/me/notification-settings";
    let shown = |mut settings: Value| {
        settings.as_object_mut().unwrap().retain(|field, _| field != "inForce" && field != "mailProblem");
        settings
    };
    let usual = world.call(&world.ada, Method::GET, path, None).await.json;
    assert_eq!(shown(usual), json!({"digestHour": 8, "timeZone": "UTC", "mutes": []}));
    let mute = json!({"what": "project", "organizationId": world.org.id.to_string(), "key": "PRJ"});
    let change = json!({"digestHour": 7, "timeZone": "europe/berlin", "mutes": [mute]});
    let changed = world.call(&world.ada, Method::PATCH, path, Some(change)).await;
    assert_eq!(shown(changed.json), json!({"digestHour": 7, "timeZone": "Europe/Berlin", "mutes": [mute]}));
    for wrong in [
        json!({"digestHour": 24}),
        json!({"timeZone": "Mars"}),
        json!({"mutes": [{"what": "item", "key": "PRJ-1"}]}),
        json!({"mutes": [{"what": "agent"}]}),
    ] {
        let refused = world.call(&world.ada, Method::PATCH, path, Some(wrong.clone())).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
    let item = world.item(&world.ada, "Greet people").await;
    world.comment(&world.ben, &item, "hello @ada", None).await;
    assert_eq!(world.inbox(&world.ada).await, [""; 0], "of a muted project nothing is heard");
}

/// Preferences showed `null` and `default`, and not what that is.
#[tokio::test]
async fn what_is_in_force_says_who_says_so_and_why_there_is_no_mail() {
    let world = World::new().await;
    let set = json!({"defaults": [{"kind": "commented", "email": "off", "chat_2": "immediate"}]});
    world.call(&world.owner, Method::PUT, DEFAULTS, Some(set)).await;
    let own = json!([{"kind": "mentioned", "inApp": true, "email": "digest", "chat_1": "off"}]);
    world.call(&world.ada, Method::PUT, MINE, Some(own)).await;
    let settings = world.call(&world.ada, Method::GET, "/me/notification-settings", None).await.json;
    let in_force = settings["inForce"].as_array().unwrap();
    assert_eq!(in_force.len(), 20, "each kind once, as there is one organization");
    let shown = |kind: &str, org: Option<&str>| {
        let one =
            in_force.iter().find(|one| one["kind"] == kind && one["organization"].as_str() == org).unwrap();
        ["email", "chat_1", "chat_2", "push"].map(|medium| {
            format!("{} {}", one[medium]["mode"].as_str().unwrap(), one[medium]["from"].as_str().unwrap())
        })
    };
    assert_eq!(shown("mentioned", None), ["digest you", "off you", "digest mail", "digest mail"]);
    assert_eq!(
        shown("replied", None),
        ["immediate usual", "immediate mail", "immediate mail", "immediate mail"]
    );
    let suggested = ["off organization", "off mail", "immediate organization", "off mail"];
    assert_eq!(shown("commented", Some("demo")), suggested);
    let mentioned = in_force.iter().find(|one| one["kind"] == "mentioned").unwrap();
    let otherwise =
        ["email", "chat_1", "push"].map(|medium| mentioned[medium]["otherwise"].as_str().unwrap());
    assert_eq!(otherwise, ["immediate", "digest", "digest"], "what the person's own words hide");
    let why = "This instance sends no mail. Its operator can turn it on with the `Mail` settings.";
    assert_eq!(settings["mailProblem"], why);
}

/// The list showed the usual mode of mail, and whoever changed a chat wrote it over what the organization suggests.
#[tokio::test]
async fn a_change_of_a_chat_leaves_mail_as_the_organization_suggests() {
    let world = World::new().await;
    let set = json!({"defaults": [{"kind": "commented", "email": "off"}]});
    world.call(&world.owner, Method::PUT, DEFAULTS, Some(set)).await;
    let mut listed = of_kind(&world.call(&world.ada, Method::GET, MINE, None).await.json, "commented");
    assert_eq!(listed["email"], "off");
    listed["chat_2"] = json!("immediate");
    let put = world.call(&world.ada, Method::PUT, MINE, Some(json!([listed]))).await;
    assert_eq!(of_kind(&put.json, "commented"), listed);
    let settings = world.call(&world.ada, Method::GET, "/me/notification-settings", None).await.json;
    assert_eq!(of_kind(&settings["inForce"], "commented")["email"]["mode"], "off");
}

#[tokio::test]
async fn what_is_not_in_the_inbox_is_told_nowhere() {
    let world = World::new().await;
    let set = json!([{"kind": "commented", "inApp": false, "email": "immediate"}]);
    world.call(&world.ada, Method::PUT, MINE, Some(set)).await;
    let item = world.item(&world.ada, "Greet people").await;
    world.comment(&world.ben, &item, "hello", None).await;
    assert_eq!(world.inbox(&world.ada).await, [""; 0]);
    world.comment(&world.ben, &item, "hello @ada", None).await;
    assert_eq!(world.inbox(&world.ada).await.len(), 1, "other kinds are");
}

/// A token that is bound to one organization must not send news of the others elsewhere.
#[tokio::test]
async fn a_bound_token_changes_nothing_of_the_account() {
    let world = World::new().await;
    let token = world.kit.token(world.ada.id, scopes(), Some(&world.org)).await;
    let hook = json!({"type": "chat_2", "webhookUrl": "https://hooks.slack.com/services/T0000/B0000/abcd"});
    for (method, path, body) in [
        (Method::PUT, MINE, json!([])),
        (Method::PATCH, "/me/notification-settings", json!({})),
        (Method::POST, "/me/notification-channels", hook),
    ] {
        let refused = call(&world.router, method, path, Some(&token), Some(body)).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path}: {}", refused.text);
    }
}

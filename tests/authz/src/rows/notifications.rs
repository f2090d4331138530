//! Inboxes, preferences and channels.

use serde_json::json;
use svc_domain::identity::Scope::{Admin, Read, Write};

use super::Row;
use crate::who::{ADMINISTER, ANYONE, PEOPLE, SEE_ADMINISTRATION, SEE_ORG, UNBOUND_PEOPLE};

pub(super) fn rows() -> Vec<Row> {
    let webhook = "https://hooks.slack.com/services/T0000/B0000/abcd";
    let subscription = json!({
        "endpoint": "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV", "name": "Firefox · Linux",
        "keys": {
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        },
    });
    let preference = json!([{"kind": "mentioned", "inApp": true, "email": "digest"}]);
    let defaults = json!({"defaults": [{"kind": "transitioned", "email": "digest"}]});
    vec![
        Row::new("GET /me/notifications", PEOPLE, Read),
        Row::new("GET /me/notifications/counts", PEOPLE, Read),
        Row::new("POST /me/notifications/read", PEOPLE, Write),
        Row::new("POST /me/notifications/done", PEOPLE, Write),
        Row::new("PATCH /me/notifications/{id}", PEOPLE, Write)
            .body(json!({"version": 1, "read": true}))
            .answers(404, "not-found"),
        Row::new("GET /notifications/unsubscribe/{token}", ANYONE, None).answers(404, "not-found"),
        Row::new("POST /notifications/unsubscribe/{token}", ANYONE, None).answers(404, "not-found"),
        // The bot of the world is asked, and delivers nothing.
        Row::new("POST /notifications/chat-1/updates", ANYONE, None)
            .body(json!({"update_id": 1}))
            .answers(404, "not-found"),
        Row::new("GET /me/notification-preferences", PEOPLE, Read),
        Row::new("PUT /me/notification-preferences", UNBOUND_PEOPLE, Write).body(preference),
        Row::new("GET /me/notification-settings", PEOPLE, Read),
        Row::new("PATCH /me/notification-settings", UNBOUND_PEOPLE, Write).body(json!({"digestHour": 7})),
        Row::new("GET /me/notification-channels", PEOPLE, Read),
        Row::new("POST /me/notification-channels", UNBOUND_PEOPLE, Write)
            .body(json!({"type": "chat_2", "webhookUrl": webhook})),
        Row::new("POST /me/notification-channels/{id}/test", UNBOUND_PEOPLE, Write).answers(404, "not-found"),
        Row::new("DELETE /me/notification-channels/{id}", UNBOUND_PEOPLE, Write).answers(404, "not-found"),
        Row::new("GET /me/push-subscriptions", PEOPLE, Read),
        // A browser is turned on by its session; no token has one.
        Row::new("POST /me/push-subscriptions", UNBOUND_PEOPLE, Write)
            .body(subscription)
            .answers(403, "forbidden"),
        Row::new("POST /me/push-subscriptions/{id}/test", UNBOUND_PEOPLE, Write).answers(404, "not-found"),
        Row::new("DELETE /me/push-subscriptions/{id}", UNBOUND_PEOPLE, Write).answers(404, "not-found"),
        Row::new("GET /orgs/{slug}/notification-defaults", SEE_ORG, Read),
        Row::new("PUT /orgs/{slug}/notification-defaults", ADMINISTER, Admin).body(defaults),
        Row::new("GET /orgs/{slug}/notification-channels", SEE_ADMINISTRATION, Read),
        Row::new("POST /orgs/{slug}/notification-channels", ADMINISTER, Admin)
            .body(json!({"type": "chat_2", "name": "Ops", "webhookUrl": webhook})),
        Row::new("PATCH /orgs/{slug}/notification-channels/{id}", ADMINISTER, Admin)
            .body(json!({"modes": {"runFailed": "immediate"}}))
            .answers(404, "not-found"),
        Row::new("POST /orgs/{slug}/notification-channels/{id}/test", ADMINISTER, Admin)
            .answers(404, "not-found"),
        Row::new("DELETE /orgs/{slug}/notification-channels/{id}", ADMINISTER, Admin)
            .answers(404, "not-found"),
    ]
}

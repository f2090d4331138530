//! `svc inbox`.

use axum::http::StatusCode;
use serde_json::json;
use svc_api::notifications::{News, Notification, NotificationKind};

use crate::fixtures::{ada, at, problem};
use crate::stub::Stub;

fn entry(key: &str, kind: NotificationKind, summary: &str) -> Notification {
    let news = News {
        kind,
        at: at("10:00:00"),
        by: Some(ada()),
        comment_id: None,
        run_id: None,
        state: None,
        emoji: None,
    };
    Notification {
        id: format!("id-of-{key}"),
        version: 3,
        organization_id: "o1".into(),
        organization: "demo".into(),
        kind,
        summary: summary.into(),
        item_key: Some(key.into()),
        run_id: None,
        project: Some("PRJ".into()),
        sprint_id: None,
        page: None,
        title: format!("Title of {key}"),
        at: at("10:00:00"),
        read: false,
        unread_count: 1,
        done: false,
        needs_you: kind == NotificationKind::RunNeedsInput,
        news: vec![news],
    }
}

fn stub() -> Stub {
    let stub = Stub::new();
    let asks = entry("PRJ-1", NotificationKind::RunNeedsInput, "Builder needs your answer");
    let fresh = entry("PRJ-2", NotificationKind::Commented, "3 new comments");
    let read = Notification {
        read: true,
        unread_count: 0,
        ..entry("PRJ-3", NotificationKind::Assigned, "Ada assigned it to you")
    };
    stub.on("GET /me/notifications", &[asks, fresh, read]);
    stub
}

#[test]
fn the_inbox_is_a_line_for_each_item() {
    let stub = stub();
    insta::assert_snapshot!("inbox_list", stub.svc(&["inbox", "list"]).run());
    assert_eq!(stub.svc(&["inbox", "list", "--needs-you", "-L", "5"]).run().code, 0);
    assert_eq!(stub.calls().pop().unwrap(), "GET /me/notifications?needsYou=true&limit=5");
    let json = stub.svc(&["inbox", "list", "--json"]).run().json();
    assert_eq!(json[1]["summary"], "3 new comments");
}

#[test]
fn an_entry_is_marked_by_the_key_of_its_item_in_the_version_that_was_read() {
    let stub = stub();
    let done = Notification { done: true, ..entry("PRJ-2", NotificationKind::Commented, "3 new comments") };
    stub.on("PATCH /me/notifications/id-of-PRJ-2", &done);
    let ran = stub.svc(&["inbox", "done", "prj-2"]).run();
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "PRJ-2 is marked as done\n"), "{ran}");
    assert_eq!(stub.last_body(), json!({"version": 3, "done": true}));
    assert_eq!(stub.svc(&["inbox", "read", "PRJ-2"]).run().code, 0);
    assert_eq!(stub.last_body(), json!({"version": 3, "read": true}));
    let unknown = stub.svc(&["inbox", "read", "PRJ-9"]).run();
    assert_ne!(unknown.code, 0);
    assert!(unknown.stderr.contains("nothing about \"PRJ-9\""), "{unknown}");
}

#[test]
fn everything_is_marked_at_once() {
    let stub = stub();
    stub.answer("POST /me/notifications/done", StatusCode::NO_CONTENT, &[], String::new());
    assert_eq!(stub.svc(&["inbox", "done", "--all"]).run().code, 0);
    assert_eq!(stub.calls().pop().unwrap(), "POST /me/notifications/done");
    assert_eq!(stub.svc(&["inbox", "done"]).run().code, 2, "neither an entry nor all of them");
}

#[test]
fn an_entry_opens_where_it_happened_and_is_read_then() {
    let stub = stub();
    stub.on("PATCH /me/notifications/id-of-PRJ-2", &entry("PRJ-2", NotificationKind::Commented, "x"));
    let ran = stub.svc(&["inbox", "open", "PRJ-2", "--print"]).run();
    assert!(ran.stdout.ends_with("/o/demo/p/PRJ/items/PRJ-2\n"), "{ran}");
    assert_eq!(stub.last_body(), json!({"version": 3, "read": true}));
}

#[test]
fn preferences_are_listed_and_one_kind_is_changed() {
    let stub = Stub::new();
    let mentioned = json!({
        "kind": "mentioned", "inApp": true, "email": "immediate", "chat_1": null, "chat_2": null, "chat_3": null,
    });
    stub.on("GET /me/notification-preferences", &json!([mentioned]));
    stub.on("PUT /me/notification-preferences", &json!([mentioned]));
    let in_force = |organization: Option<&str>, from: &str| {
        let mode = |from: &str| json!({"mode": "immediate", "from": from, "otherwise": "immediate"});
        json!({
            "kind": "mentioned", "organization": organization, "email": mode(from), "chat_1": mode("you"),
            "chat_2": mode("mail"), "chat_3": mode("mail"), "push": mode("mail"),
        })
    };
    let settings = json!({
        "digestHour": 8, "timeZone": "UTC", "mutes": [], "mailProblem": "This instance sends no mail.",
        "inForce": [in_force(None, "usual"), in_force(Some("demo"), "organization")],
    });
    stub.on("GET /me/notification-settings", &settings);
    let listed = stub.svc(&["inbox", "preferences"]).run();
    let rows: Vec<String> =
        listed.stdout.lines().map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let rest = "immediate immediate (as mail) immediate (as mail) immediate (as mail)";
    assert_eq!(rows[1], format!("mentioned yes immediate (usual) {rest}"), "{listed}");
    assert_eq!(rows[2], format!("mentioned in demo yes immediate (its default) {rest}"), "{listed}");
    assert!(listed.stderr.contains("This instance sends no mail."), "{listed}");
    stub.svc(&["inbox", "preferences", "mentioned", "--email", "digest", "--chat-2", "immediate"])
        .run()
        .exits(0);
    let sent = json!([{
        "kind": "mentioned", "inApp": true, "email": "digest", "chat_1": null, "chat_2": "immediate", "chat_3": null,
    }]);
    assert_eq!(stub.last_body(), sent);
    assert_ne!(stub.svc(&["inbox", "preferences", "nothing", "--email", "off"]).run().code, 0);
    let shown = stub.svc(&["inbox", "preferences", "Mentioned"]).run();
    assert_eq!((shown.code, &shown.stdout), (0, &listed.stdout), "{shown}");
    assert_eq!(stub.svc(&["inbox", "preferences", "--email", "off"]).run().code, 2, "of what?");
}

/// Only the web app said at which hour digests come, and changed it.
#[test]
fn the_hour_of_digests_is_shown_and_changed() {
    let stub = Stub::new();
    let settings = |hour: u8, zone: &str| json!({"digestHour": hour, "timeZone": zone, "mutes": []});
    stub.on("GET /me/notification-settings", &settings(8, "UTC"));
    stub.on("PATCH /me/notification-settings", &settings(7, "Europe/Berlin"));
    let shown = stub.svc(&["inbox", "digest"]).run();
    assert!(shown.stderr.contains("Digests come at 08:00, UTC."), "{shown}");
    let changed = stub.svc(&["inbox", "digest", "--hour", "7", "--zone", "Europe/Berlin"]).run();
    assert!(changed.stderr.contains("Digests come at 07:00, Europe/Berlin."), "{changed}");
    assert_eq!(stub.last_body(), json!({"digestHour": 7, "timeZone": "Europe/Berlin"}));
    assert_eq!(stub.svc(&["inbox", "digest", "--hour", "24"]).run().code, 2);
}

#[test]
fn a_chat_is_connected_tested_and_deleted_by_its_platform() {
    let stub = Stub::new();
    let channel = json!({
        "id": "c1", "type": "chat_1", "status": "pending", "target": "", "lastError": null, "connectedAt": null,
        "createdAt": "2026-01-05T09:00:00Z",
    });
    let made = json!({
        "channel": channel, "connectCode": "svn_x", "connectUrl": "https://t.me/work_bot?start=svn_x",
        "expiresAt": "2026-01-05T09:10:00Z",
    });
    stub.on("POST /me/notification-channels", &made);
    let ran = stub.svc(&["inbox", "channel", "add", "telegram"]).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "https://t.me/work_bot?start=svn_x\n"), "{ran}");
    assert_eq!(stub.last_body(), json!({"type": "chat_1"}));
    stub.on(
        "GET /me/notification-channels",
        &json!({"chat1Available": true, "chat1BotUsername": "work_bot", "channels": [channel]}),
    );
    stub.on("POST /me/notification-channels/c1/test", &json!({"ok": true}));
    assert_eq!(stub.svc(&["inbox", "channel", "test", "telegram"]).run().code, 0);
    stub.answer("DELETE /me/notification-channels/c1", StatusCode::NO_CONTENT, &[], String::new());
    assert_eq!(stub.svc(&["inbox", "channel", "delete", "telegram"]).run().code, 0);
    assert_ne!(stub.svc(&["inbox", "channel", "test", "slack"]).run().code, 0, "there is none");
}

#[test]
fn an_item_a_project_or_an_agent_is_muted_and_heard_of_again() {
    let stub = Stub::new();
    let item = json!({"what": "item", "organizationId": "org-demo", "key": "PRJ-1"});
    let settings = |mutes: &serde_json::Value| json!({"digestHour": 8, "timeZone": "UTC", "mutes": mutes});
    stub.on("GET /me/notification-settings", &settings(&json!([item])));
    stub.on("PATCH /me/notification-settings", &settings(&json!([])));
    stub.on("GET /orgs", &[crate::fixtures::org("demo", "Demo")]);
    stub.on("GET /orgs/demo/agents", &[crate::fixtures::agent("a1", "Builder")]);
    let listed = stub.svc(&["inbox", "mute"]).run();
    assert!(listed.stdout.contains("item") && listed.stdout.contains("PRJ-1"), "{listed}");
    stub.on("GET /orgs/demo/projects/PRJ", &crate::fixtures::project("PRJ", "Shop", false));
    assert_eq!(stub.svc(&["inbox", "mute", "prj"]).run().code, 0);
    let project = json!({"what": "project", "organizationId": "org-demo", "key": "PRJ"});
    assert_eq!(stub.last_body(), json!({"mutes": [item, project]}));
    let again = stub.svc(&["inbox", "mute", "PRJ-1"]).run();
    assert!(again.stderr.contains("muted already"), "{again}");
    assert_eq!(stub.svc(&["inbox", "unmute", "prj-1"]).run().code, 0);
    assert_eq!(stub.last_body(), json!({"mutes": []}));
    assert_ne!(stub.svc(&["inbox", "unmute", "PRJ-2"]).run().code, 0, "it is not muted");
    assert_ne!(stub.svc(&["inbox", "mute", "no key"]).run().code, 0);
    // Both said that they were muted.
    let missing = problem(404, "not-found", "Not found.", None);
    stub.refuse("GET /orgs/demo/projects/NOPE", &missing).refuse("GET /orgs/demo/items/NOPE-1", &missing);
    stub.on("GET /orgs/demo/projects", &[crate::fixtures::project("PRJ", "Shop", false)]);
    for nope in ["nope", "NOPE-1"] {
        stub.svc(&["inbox", "mute", nope]).run().exits(4);
    }
}

#[test]
fn an_organization_s_channel_is_connected_told_tested_and_deleted_by_its_name() {
    let stub = Stub::new();
    let channel = json!({
        "id": "c1", "name": "Ops", "type": "chat_2", "status": "active", "target": "hooks.slack.com …1234",
        "modes": {"runFailed": "immediate"}, "lastError": null, "connectedAt": null,
        "createdAt": "2026-01-05T09:00:00Z",
    });
    let made = json!({"channel": channel, "connectCode": null, "connectUrl": null, "expiresAt": null});
    stub.on("POST /orgs/demo/notification-channels", &made);
    let hook = "https://hooks.slack.com/services/T/B/c";
    stub.svc(&["org", "channel", "create", "Ops", "slack", "--webhook-url", hook]).run().exits(0);
    assert_eq!(stub.last_body(), json!({"type": "chat_2", "name": "Ops", "webhookUrl": hook}));
    let mail =
        json!({"available": true, "failingSince": "2026-01-05T09:00:00Z", "error": "535 wrong password"});
    let listed = json!({
        "chat1Available": false, "chat1BotUsername": null, "kinds": [], "channels": [channel], "mail": mail,
    });
    stub.on("GET /orgs/demo/notification-channels", &listed);
    let ran = stub.svc(&["org", "channel", "list"]).run();
    assert!(ran.stdout.contains("slack") && ran.stdout.contains("runFailed=immediate"), "{ran}");
    assert!(ran.stderr.contains("535 wrong password"), "{ran}");
    stub.on("PATCH /orgs/demo/notification-channels/c1", &channel);
    let tell = ["org", "channel", "edit", "ops", "--tell", "sprintStarted=digest", "--tell", "runFailed=off"];
    assert_eq!(stub.svc(&tell).run().code, 0);
    assert_eq!(stub.last_body(), json!({"modes": {"sprintStarted": "digest"}}));
    assert_ne!(stub.svc(&["org", "channel", "edit", "ops", "--tell", "runFailed=soon"]).run().code, 0);
    assert_ne!(stub.svc(&["org", "channel", "edit", "ops"]).run().code, 0, "nothing to change");
    stub.on("POST /orgs/demo/notification-channels/c1/test", &json!({"ok": true}));
    assert_eq!(stub.svc(&["org", "channel", "test", "Ops"]).run().code, 0);
    let silent = problem(422, "channel-test-failed", "The test message did not arrive.", None);
    let dead = Stub::new();
    dead.on("GET /orgs/demo/notification-channels", &listed);
    dead.refuse("POST /orgs/demo/notification-channels/c1/test", &silent);
    let ran = dead.svc(&["org", "channel", "test", "Ops"]).run();
    assert_eq!(ran.code, 1, "the command was right: {ran}");
    let mut failing = listed.clone();
    failing["channels"][0]["lastError"] = "no answer".into();
    failing["channels"][0]["failingSince"] = "2026-01-05T09:00:00Z".into();
    dead.now("GET /orgs/demo/notification-channels", &failing);
    let ran = dead.svc(&["org", "channel", "list"]).run();
    assert!(ran.stdout.contains("since 2026-01-05 09:00:00 UTC: no answer"), "{ran}");
    stub.answer("DELETE /orgs/demo/notification-channels/c1", StatusCode::NO_CONTENT, &[], String::new());
    assert_eq!(stub.svc(&["org", "channel", "delete", "Ops"]).run().code, 2, "unasked");
    assert_eq!(stub.svc(&["org", "channel", "delete", "Ops", "--yes"]).run().code, 0);
}

/// The two commands called platforms by different names, and one of them knew no Teams.
#[test]
fn platforms_have_one_name_everywhere_and_the_apis_is_understood() {
    let stub = Stub::new();
    let channel = json!({
        "id": "c1", "name": "Team", "type": "chat_4", "status": "active", "target": "logic.azure.com …cdef",
        "modes": {}, "lastError": null, "connectedAt": null, "heldUntil": "2026-01-05T09:30:00Z",
        "createdAt": "2026-01-05T09:00:00Z",
    });
    let listed = json!({
        "chat1Available": false, "chat1BotUsername": null, "kinds": [], "channels": [channel],
    });
    stub.on("GET /orgs/demo/notification-channels", &listed);
    stub.on("GET /me/notification-channels", &listed);
    for noun in ["org", "inbox"] {
        let ran = stub.svc(&[noun, "channel", "list"]).run();
        assert!(ran.stdout.contains("teams"), "{ran}");
        assert!(ran.stdout.contains("held until 2026-01-05 09:30 UTC"), "{ran}");
    }
    let made = json!({"channel": channel, "connectCode": null, "connectUrl": null, "expiresAt": null});
    stub.on("POST /orgs/demo/notification-channels", &made);
    let hook = "https://x.logic.azure.com/workflows/1";
    for platform in ["teams", "chat_4"] {
        stub.svc(&["org", "channel", "create", "Team", platform, "--webhook-url", hook]).run().exits(0);
        assert_eq!(stub.last_body(), json!({"type": "chat_4", "name": "Team", "webhookUrl": hook}));
    }
}

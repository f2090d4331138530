//! `svc webhook`.

use serde_json::json;
use svc_api::webhooks::{
    OutboundWebhook, WebhookAttempt, WebhookDelivery, WebhookDeliveryState, WebhookEvent, WebhookWithSecret,
};

use crate::fixtures::{ada, at};
use crate::stub::Stub;

fn webhook() -> OutboundWebhook {
    OutboundWebhook {
        id: "w1".into(),
        version: 2,
        name: "n8n".into(),
        url: "https://n8n.example.com/1".into(),
        events: vec![WebhookEvent::ItemCreated, WebhookEvent::RunEnded],
        projects: vec![],
        agents_work: false,
        saved_by: ada(),
        created_at: at("10:00:00"),
        former_secret_until: None,
        failing_since: None,
        disabled: false,
        disabled_reason: None,
        problem: None,
    }
}

fn failed() -> WebhookDelivery {
    let attempt = WebhookAttempt { at: at("10:00:00"), status: Some(500), error: None };
    WebhookDelivery {
        id: "d1".into(),
        event: WebhookEvent::ItemCreated,
        at: at("10:00:00"),
        item_key: Some("PRJ-1".into()),
        state: WebhookDeliveryState::Failed,
        skipped_reason: None,
        next_attempt_at: None,
        attempts: vec![attempt],
    }
}

#[test]
fn a_webhook_is_created_and_its_secret_is_alone_on_stdout() {
    let stub = Stub::new();
    let made = WebhookWithSecret { secret: "whsec_hush".into(), webhook: webhook() };
    stub.on("POST /orgs/demo/webhooks", &made);
    let args =
        ["webhook", "create", "n8n", "https://n8n.example.com/1", "--event", "item.created", "-p", "PRJ"];
    let ran = stub.svc(&args).run();
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "whsec_hush\n"), "{ran}");
    let body = json!({
        "name": "n8n", "url": "https://n8n.example.com/1", "events": ["item.created"], "projects": ["PRJ"]
    });
    assert_eq!(stub.last_body(), body);
    let unknown = stub.svc(&["webhook", "create", "n8n", "https://a.example", "--event", "item.sold"]).run();
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("item.created, item.changed"), "{unknown}");
}

#[test]
fn a_webhook_is_listed_and_enabled_in_the_version_that_was_read() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/webhooks", &[webhook()]);
    stub.on("PATCH /orgs/demo/webhooks/w1", &webhook());
    let listed = stub.svc(&["webhook", "list"]).run();
    assert!(listed.stdout.contains("item.created, run.ended"), "{listed}");
    assert_eq!(stub.svc(&["webhook", "edit", "N8N", "--disabled", "false"]).run().code, 0);
    assert_eq!(stub.last_body(), json!({"version": 2, "disabled": false}));
}

#[test]
fn deliveries_are_listed_and_sent_again() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/webhooks", &[webhook()]);
    stub.on("GET /orgs/demo/webhooks/w1/deliveries", &[failed()]);
    stub.on("POST /orgs/demo/webhooks/w1/deliveries/d1/replay", &failed());
    let listed = stub.svc(&["webhook", "deliveries", "n8n"]).run();
    assert!(listed.stdout.contains("failed") && listed.stdout.contains("500"), "{listed}");
    assert_eq!(stub.svc(&["webhook", "replay", "n8n", "d1"]).run().code, 0);
    assert_eq!(stub.calls().pop().unwrap(), "POST /orgs/demo/webhooks/w1/deliveries/d1/replay");
}

/// A script that tests a webhook took a failure for a success.
#[test]
fn a_test_that_fails_is_shown_and_fails() {
    let stub = Stub::new();
    stub.on("GET /orgs/demo/webhooks", &[webhook()]);
    stub.on("POST /orgs/demo/webhooks/w1/test", &WebhookDelivery { event: WebhookEvent::Ping, ..failed() });
    let ran = stub.svc(&["webhook", "test", "n8n"]).run().exits(1);
    assert!(ran.stdout.contains("500") && ran.stderr.contains("did not arrive"), "{ran}");
    let sent = WebhookDelivery { state: WebhookDeliveryState::Sent, ..failed() };
    let stub = Stub::new();
    stub.on("GET /orgs/demo/webhooks", &[webhook()]);
    stub.on("POST /orgs/demo/webhooks/w1/test", &sent);
    assert_eq!(stub.svc(&["webhook", "test", "n8n"]).run().code, 0);
}

//! What the audit log tells of budgets, webhooks and what was deleted: it told that something changed, and not what.

use crate::webhooks::world;
use http::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn the_audit_log_says_what_was_deleted_and_what_changed_without_secrets() {
    let world = world().await;
    let (owner, ada) = (&world.owner, &world.ada);
    let make = async |path: &str, body: Value| {
        let made = world.act(ada, Method::POST, &format!("/projects/PRJ/{path}"), body).await;
        format!("/orgs/demo/projects/PRJ/{path}/{}", made["id"].as_str().unwrap())
    };
    let gone = [
        make("milestones", json!({"name": "Beta"})).await,
        make("templates", json!({"name": "Report", "type": "bug"})).await,
        make("views", json!({"name": "Bugs", "filter": "type:bug", "shared": true})).await,
        make("views", json!({"name": "Mine", "filter": "type:bug", "shared": false})).await,
    ];
    for path in gone {
        let deleted = world.call(ada, Method::DELETE, &path, None).await;
        assert!(deleted.status.is_success(), "{path}: {}", deleted.text);
    }
    let limits = json!({"version": 0, "runsADay": 5, "costADay": 2.5});
    world.act(owner, Method::PATCH, "/budgets", limits).await;
    world.act(owner, Method::PATCH, "/budgets", json!({"version": 1, "runsADay": 9, "costADay": null})).await;
    let hook = json!({"name": "n8n", "url": "https://a.example.com/hush-1", "events": ["item.created"]});
    let made = world.act(owner, Method::POST, "/webhooks", hook).await;
    let path = format!("/webhooks/{}", made["webhook"]["id"].as_str().unwrap());
    let edit = json!({"version": 1, "url": "https://b.example.com/hush-2", "disabled": true});
    world.act(owner, Method::PATCH, &path, edit).await;

    let kinds = "/orgs/demo/audit?kind=project,budget,connection&limit=200";
    let log = world.call(owner, Method::GET, kinds, None).await;
    let line = |line: &Value| {
        let [action, name, from, to] =
            ["action", "name", "from", "to"].map(|field| line[field].as_str().unwrap_or("-").to_owned());
        format!("{action} {name}: {from} -> {to}")
    };
    let mut told: Vec<String> = log.json["entries"].as_array().unwrap().iter().map(line).collect();
    told.retain(|line| !line.starts_with("project"));
    told.sort_unstable();
    assert_eq!(
        told,
        [
            "budgetsChanged -: 5 runs a day, $2.5 a day -> 9 runs a day",
            "budgetsChanged -: no limit -> 5 runs a day, $2.5 a day",
            "milestoneDeleted Beta: - -> -",
            "outboundWebhookChanged n8n: address a.example.com; disabled no -> address b.example.com; disabled yes",
            "outboundWebhookCreated n8n: - -> -",
            "templateDeleted Report: - -> -",
            "viewDeleted Bugs: - -> -",
        ]
    );
    assert!(!log.text.contains("hush"), "addresses hold secrets: {}", log.text);
}

//! Agents, runners as administrators see them, playbooks, runs.

use serde_json::json;
use svc_domain::identity::Scope::{Admin, Read, Write};

use super::Row;
use crate::who::{
    ADMINISTER, ANYONE, COMMENT, CONFIGURE, CONFIGURE_AND_OPERATE, HAND_IN, OPERATE, PEOPLE,
    SEE_ADMINISTRATION, SEE_FACTORY, SEE_FACTORY_OF_ORG, SEE_ORG, SEE_PLAYBOOKS, SEE_PROJECT, STOP_RUNS,
};

pub(super) fn rows() -> Vec<Row> {
    [of_org(), of_project(), runs(), refinement()].concat()
}

fn of_org() -> Vec<Row> {
    vec![
        Row::new("GET /orgs/{slug}/code-host", SEE_ADMINISTRATION, Read),
        // The world's instance has no code host.
        Row::new("POST /orgs/{slug}/code-host", ADMINISTER, Admin).body(json!({})).answers(409, "conflict"),
        Row::new("DELETE /orgs/{slug}/code-host", ADMINISTER, Admin),
        Row::new("POST /orgs/{slug}/code-host/webhook", ADMINISTER, Admin),
        Row::new("DELETE /orgs/{slug}/code-host/webhook", ADMINISTER, Admin),
        // A code host delivers; its signature says that it may, and nobody here can make one.
        Row::new("POST /code-host/deliveries/{address}", ANYONE, None)
            .body(json!({}))
            .answers(404, "not-found"),
        // A browser comes back; no token does.
        Row::new("GET /code-host/callback", PEOPLE, None).answers(403, "forbidden"),
        Row::new("GET /orgs/{slug}/agents", SEE_ORG, Read),
        Row::new("POST /orgs/{slug}/agents", ADMINISTER, Admin).body(json!({"name": "Other"})),
        Row::new("PATCH /orgs/{slug}/agents/{id}", ADMINISTER, Admin)
            .body(json!({"version": 1, "name": "Renamed"})),
        Row::new("DELETE /orgs/{slug}/agents/{id}", ADMINISTER, Admin),
        Row::new("POST /orgs/{slug}/agents/{id}/restore", ADMINISTER, Admin),
        Row::new("GET /orgs/{slug}/budgets", SEE_FACTORY_OF_ORG, Read),
        Row::new("PATCH /orgs/{slug}/budgets", ADMINISTER, Admin)
            .body(json!({"version": 0, "runsAtOnce": 5})),
        Row::new("GET /orgs/{slug}/runners", SEE_FACTORY_OF_ORG, Read),
        Row::new("POST /orgs/{slug}/runners", ADMINISTER, Admin).body(json!({"name": "Other"})),
        Row::new("PATCH /orgs/{slug}/runners/{id}", ADMINISTER, Admin)
            .body(json!({"version": 1, "name": "Renamed"})),
        Row::new("DELETE /orgs/{slug}/runners/{id}", ADMINISTER, Admin),
        Row::new("POST /orgs/{slug}/runners/{id}/rotate", ADMINISTER, Admin),
    ]
}

fn of_project() -> Vec<Row> {
    let playbook = json!({"name": "Other", "instructions": "Do.", "harness": "harness_1"});
    vec![
        Row::new("GET /orgs/{slug}/projects/{key}/factory-settings", SEE_FACTORY, Read),
        Row::new("PATCH /orgs/{slug}/projects/{key}/factory-settings", CONFIGURE, Write)
            .body(json!({"version": 1, "defaultBranch": "trunk"})),
        Row::new("GET /orgs/{slug}/projects/{key}/refinement-settings", SEE_FACTORY, Read),
        Row::new("PATCH /orgs/{slug}/projects/{key}/refinement-settings", OPERATE, Write)
            .body(json!({"version": 0, "platforms": "Web"})),
        Row::new("GET /orgs/{slug}/projects/{key}/playbooks", SEE_PLAYBOOKS, Read),
        Row::new("POST /orgs/{slug}/projects/{key}/playbooks", CONFIGURE, Write).body(playbook),
        Row::new("GET /orgs/{slug}/projects/{key}/playbooks/{id}", SEE_PLAYBOOKS, Read),
        Row::new("GET /orgs/{slug}/projects/{key}/rules", SEE_PLAYBOOKS, Read),
        Row::new("POST /orgs/{slug}/projects/{key}/rules", CONFIGURE, Write)
            .body(json!({"name": "Bugs", "state": "In review", "playbook": "Implement"})),
        Row::new("PATCH /orgs/{slug}/projects/{key}/rules/{id}", CONFIGURE, Write)
            .body(json!({"version": 1, "disabled": true})),
        Row::new("DELETE /orgs/{slug}/projects/{key}/rules/{id}", CONFIGURE, Write),
        Row::new("GET /orgs/{slug}/projects/{key}/rule-firings", SEE_PLAYBOOKS, Read),
        Row::new("GET /orgs/{slug}/projects/{key}/schedules", SEE_PLAYBOOKS, Read),
        Row::new("POST /orgs/{slug}/projects/{key}/schedules", CONFIGURE, Write).body(json!({
            "name": "Weekly", "cron": "0 0 * * 1", "playbook": "Implement", "type": "task", "title": "Tidy up"
        })),
        Row::new("POST /orgs/{slug}/projects/{key}/schedule-preview", SEE_PLAYBOOKS, Read)
            .body(json!({"cron": "0 0 * * 1"})),
        Row::new("GET /orgs/{slug}/projects/{key}/schedules/{id}", SEE_PLAYBOOKS, Read),
        Row::new("GET /orgs/{slug}/projects/{key}/schedules/{id}/firings", SEE_PLAYBOOKS, Read),
        Row::new("PATCH /orgs/{slug}/projects/{key}/schedules/{id}", CONFIGURE, Write)
            .body(json!({"version": 1, "paused": true})),
        Row::new("POST /orgs/{slug}/projects/{key}/schedules/{id}/fire", CONFIGURE_AND_OPERATE, Write),
        Row::new("DELETE /orgs/{slug}/projects/{key}/schedules/{id}", CONFIGURE, Write),
        Row::new("PATCH /orgs/{slug}/projects/{key}/playbooks/{id}", CONFIGURE, Write)
            .body(json!({"version": 1, "timeLimitMinutes": 5})),
        Row::new("DELETE /orgs/{slug}/projects/{key}/playbooks/{id}", CONFIGURE, Write),
        Row::new("POST /orgs/{slug}/projects/{key}/playbooks/{id}/restore", CONFIGURE, Write),
    ]
}

fn refinement() -> Vec<Row> {
    // Nobody refined the item.
    let never = |row: Row| row.answers(404, "not-found");
    vec![
        Row::new("POST /orgs/{slug}/items/{key}/refinement", OPERATE, Write).body(json!({})),
        never(Row::new("GET /orgs/{slug}/items/{key}/refinement", SEE_FACTORY, Read)),
        never(Row::new("POST /orgs/{slug}/items/{key}/refinement/answers", OPERATE, Write))
            .body(json!({"version": 1, "note": "Go on."})),
        never(Row::new("POST /orgs/{slug}/items/{key}/refinement/changes", OPERATE, Write))
            .body(json!({"version": 1, "note": "Shorter."})),
        never(Row::new("POST /orgs/{slug}/items/{key}/refinement/confirm", OPERATE, Write))
            .body(json!({"version": 1, "itemVersion": 1})),
        Row::new("PUT /orgs/{slug}/items/{key}/refinement/submission", HAND_IN, Write)
            .body(json!({"questions": ["Why?"]})),
    ]
}

fn runs() -> Vec<Row> {
    // The run of the world has not ended.
    let going = |row: Row| row.answers(409, "run-state");
    vec![
        Row::new("GET /orgs/{slug}/items/{key}/mentions", SEE_FACTORY, Read),
        Row::new("POST /orgs/{slug}/items/{key}/mentions/preview", COMMENT, Write)
            .body(json!({"body": "@robin look"})),
        Row::new("GET /orgs/{slug}/items/{key}/runs", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/items/{key}/runs", OPERATE, Write).body(json!({})),
        Row::new("POST /orgs/{slug}/items/{key}/runs/preview", OPERATE, Write).body(json!({})),
        Row::new("GET /orgs/{slug}/factory-stats", SEE_FACTORY_OF_ORG, Read),
        Row::new("GET /orgs/{slug}/runs", SEE_ORG, Read),
        Row::new("GET /orgs/{slug}/runs/{id}", SEE_PROJECT, Read),
        Row::new("GET /orgs/{slug}/runs/{id}/log", SEE_FACTORY, Read),
        Row::new("GET /orgs/{slug}/runs/{id}/changes", SEE_FACTORY, Read),
        Row::new("GET /orgs/{slug}/runs/{id}/log/stream", SEE_FACTORY, Read),
        Row::new("GET /orgs/{slug}/runs/{id}/artifacts", SEE_FACTORY, Read),
        Row::new("POST /orgs/{slug}/runs/{id}/cancel", STOP_RUNS, Write),
        going(Row::new("POST /orgs/{slug}/runs/{id}/continue", OPERATE, Write)),
        going(Row::new("POST /orgs/{slug}/runs/{id}/retry", OPERATE, Write)),
        going(Row::new("POST /runs/{id}/continue", OPERATE, Write)),
        going(Row::new("POST /runs/{id}/retry", OPERATE, Write)),
        Row::new("GET /runs/{id}", SEE_PROJECT, Read),
        Row::new("GET /runs/{id}/log", SEE_FACTORY, Read),
        Row::new("GET /runs/{id}/changes", SEE_FACTORY, Read),
        Row::new("GET /runs/{id}/artifacts", SEE_FACTORY, Read),
        Row::new("GET /runs/{id}/artifacts/{file}", SEE_FACTORY, Read),
        Row::new("POST /runs/{id}/cancel", STOP_RUNS, Write),
    ]
}

//! Projects, workflow, items, comments, history.

use serde_json::json;
use svc_domain::identity::Scope::{Read, Write};

use super::Row;
use crate::who::{COMMENT, CONFIGURE, CREATE_PROJECTS, MOVE, SEE_ORG, SEE_PROJECT, WORK};

pub(super) fn rows() -> Vec<Row> {
    let workflow = json!({
        "version": 1,
        "states": [{"name": "Backlog", "group": "backlog"}, {"name": "In progress", "group": "active"}],
        "moves": [{"from": "Backlog", "to": "In progress"}],
    });
    vec![
        Row::new("GET /orgs/{slug}/projects", SEE_ORG, Read),
        Row::new("POST /orgs/{slug}/projects", CREATE_PROJECTS, Write)
            .body(json!({"key": "NEW", "name": "New"})),
        Row::new("GET /orgs/{slug}/projects/{key}", SEE_PROJECT, Read),
        Row::new("PATCH /orgs/{slug}/projects/{key}", CONFIGURE, Write)
            .body(json!({"version": 1, "archived": false}))
            .even_archived(),
        Row::new("GET /orgs/{slug}/projects/{key}/workflow", SEE_PROJECT, Read),
        Row::new("PUT /orgs/{slug}/projects/{key}/workflow", CONFIGURE, Write).body(workflow),
        Row::new("GET /orgs/{slug}/projects/{key}/items", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/projects/{key}/items", WORK, Write)
            .body(json!({"type": "task", "title": "New"})),
        Row::new("GET /orgs/{slug}/items/{key}", SEE_PROJECT, Read),
        Row::new("PATCH /orgs/{slug}/items/{key}", WORK, Write)
            .body(json!({"version": 1, "title": "Changed"})),
        Row::new("GET /orgs/{slug}/items/{key}/comments", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/items/{key}/comments", COMMENT, Write).body(json!({"body": "Yes."})),
        Row::new("GET /orgs/{slug}/items/{key}/history", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/items/{key}/transition", MOVE, Write)
            .body(json!({"version": 1, "state": "In review"})),
        Row::new("POST /orgs/{slug}/items/{key}/claim", WORK, Write).body(json!({"version": 1})),
        Row::new("POST /orgs/{slug}/items/{key}/release", WORK, Write),
        Row::new("POST /orgs/{slug}/items/{key}/heartbeat", WORK, Write).answers(409, "not-claim-holder"),
    ]
}

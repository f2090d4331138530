//! Teams, sprints, and moves into them.

use serde_json::json;
use svc_domain::identity::Scope::{Read, Write};

use super::Row;
use crate::who::{CONFIGURE, MOVE, SEE_PROJECT, WORK};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new("GET /orgs/{slug}/projects/{key}/teams", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/projects/{key}/teams", CONFIGURE, Write)
            .body(json!({"key": "new", "name": "New"})),
        Row::new("GET /orgs/{slug}/projects/{key}/teams/{team}", SEE_PROJECT, Read),
        Row::new("PATCH /orgs/{slug}/projects/{key}/teams/{team}", CONFIGURE, Write)
            .body(json!({"version": 1, "name": "Changed"})),
        Row::new("DELETE /orgs/{slug}/projects/{key}/teams/{team}", CONFIGURE, Write),
        Row::new("GET /orgs/{slug}/projects/{key}/sprints", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/projects/{key}/sprints", MOVE, Write)
            .body(json!({"team": "idle", "name": "New"})),
        Row::new("GET /orgs/{slug}/sprints/{id}", SEE_PROJECT, Read),
        Row::new("PATCH /orgs/{slug}/sprints/{id}", MOVE, Write)
            .body(json!({"version": 1, "name": "Changed"})),
        Row::new("DELETE /orgs/{slug}/sprints/{id}", MOVE, Write),
        Row::new("POST /orgs/{slug}/sprints/{id}/start", MOVE, Write).body(json!({"version": 1})),
        Row::new("POST /orgs/{slug}/sprints/{id}/complete", MOVE, Write)
            .body(json!({"version": 1}))
            .answers(409, "conflict"),
        Row::new("GET /orgs/{slug}/sprints/{id}/taskboard", SEE_PROJECT, Read),
        Row::new("GET /orgs/{slug}/sprints/{id}/burndown", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/items/{key}/move", WORK, Write)
            .body(json!({"version": 1, "sprint": "<sprints/{id}>"})),
    ]
}

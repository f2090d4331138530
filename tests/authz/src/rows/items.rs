//! What hangs on items: links, subtasks, watchers; and labels.

use serde_json::json;
use svc_domain::identity::Scope::{Read, Write};

use super::Row;
use crate::who::{
    ANYONE, CONFIGURE, EDIT_SHARED_IN_ORG, MOVE, SEE_INTAKES, SEE_ORG, SEE_PROJECT, SHARE_IN_ORG, WATCH,
    WORK, WORK_ON_MANY,
};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new("GET /orgs/{slug}/projects/{key}/labels", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/projects/{key}/labels", CONFIGURE, Write).body(json!({"name": "new"})),
        Row::new("PATCH /orgs/{slug}/projects/{key}/labels/{name}", CONFIGURE, Write)
            .body(json!({"version": 1, "color": "#0e8a16"})),
        Row::new("DELETE /orgs/{slug}/projects/{key}/labels/{name}", CONFIGURE, Write),
        Row::new("GET /orgs/{slug}/projects/{key}/templates", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/projects/{key}/templates", CONFIGURE, Write)
            .body(json!({"name": "Chore", "type": "task"})),
        Row::new("PATCH /orgs/{slug}/projects/{key}/templates/{id}", CONFIGURE, Write)
            .body(json!({"version": 1, "name": "Defect"})),
        Row::new("DELETE /orgs/{slug}/projects/{key}/templates/{id}", CONFIGURE, Write),
        Row::new("GET /orgs/{slug}/projects/{key}/intakes", SEE_INTAKES, Read),
        Row::new("POST /orgs/{slug}/projects/{key}/intakes", CONFIGURE, Write).body(json!({"name": "Form"})),
        Row::new("PATCH /orgs/{slug}/projects/{key}/intakes/{id}", CONFIGURE, Write)
            .body(json!({"version": 1, "disabled": true})),
        Row::new("DELETE /orgs/{slug}/projects/{key}/intakes/{id}", CONFIGURE, Write),
        Row::new("POST /orgs/{slug}/projects/{key}/intakes/{id}/rotate", CONFIGURE, Write),
        // Its address says who may, and nobody here has one.
        Row::new("POST /intake/{address}", ANYONE, None).body(json!({})).answers(404, "not-found"),
        Row::new("GET /orgs/{slug}/projects/{key}/milestones", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/projects/{key}/milestones", MOVE, Write)
            .body(json!({"name": "Beta", "due": "2030-01-31"})),
        Row::new("GET /orgs/{slug}/projects/{key}/milestones/{id}", SEE_PROJECT, Read),
        Row::new("PATCH /orgs/{slug}/projects/{key}/milestones/{id}", MOVE, Write)
            .body(json!({"version": 1, "state": "closed"})),
        Row::new("DELETE /orgs/{slug}/projects/{key}/milestones/{id}", MOVE, Write),
        Row::new("GET /orgs/{slug}/project-overviews", SEE_ORG, Read),
        Row::new("GET /orgs/{slug}/projects/{key}/stats", SEE_PROJECT, Read),
        Row::new("GET /orgs/{slug}/views", SEE_ORG, Read),
        Row::new("POST /orgs/{slug}/views", SHARE_IN_ORG, Write)
            .body(json!({"name": "Bugs everywhere", "shared": true, "filter": "type:bug"})),
        Row::new("PATCH /orgs/{slug}/views/{viewId}", EDIT_SHARED_IN_ORG, Write)
            .body(json!({"version": 1, "name": "All bugs"})),
        Row::new("DELETE /orgs/{slug}/views/{viewId}", EDIT_SHARED_IN_ORG, Write),
        Row::new("GET /orgs/{slug}/projects/{key}/views", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/projects/{key}/views", WORK, Write)
            .body(json!({"name": "New bugs", "shared": true, "filter": "type:bug"})),
        Row::new("PATCH /orgs/{slug}/projects/{key}/views/{id}", CONFIGURE, Write)
            .body(json!({"version": 1, "name": "All bugs"})),
        Row::new("DELETE /orgs/{slug}/projects/{key}/views/{id}", CONFIGURE, Write),
        Row::new("POST /orgs/{slug}/projects/{key}/items/bulk", WORK_ON_MANY, Write)
            .body(json!({"items": [{"key": "PRJ-1", "version": 1}], "change": {"priority": "high"}})),
        Row::new("GET /orgs/{slug}/projects/{key}/board", SEE_PROJECT, Read),
        Row::new("GET /orgs/{slug}/projects/{key}/changes", SEE_PROJECT, Read),
        Row::new("GET /orgs/{slug}/projects/{key}/changes/stream", SEE_PROJECT, Read),
        Row::new("GET /orgs/{slug}/items/{key}/links", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/items/{key}/links", WORK, Write)
            .body(json!({"url": "https://code.example/team/search/pull/7"})),
        Row::new("DELETE /orgs/{slug}/items/{key}/links", WORK, Write).answers(422, "validation-failed"),
        Row::new("GET /orgs/{slug}/items/{key}/subtasks", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/items/{key}/subtasks", WORK, Write)
            .body(json!({"title": "Write the test", "estimate": 2})),
        Row::new("GET /orgs/{slug}/items/{key}/watchers", SEE_PROJECT, Read),
        Row::new("PUT /orgs/{slug}/items/{key}/watch", WATCH, Write),
        Row::new("DELETE /orgs/{slug}/items/{key}/watch", WATCH, Write),
    ]
}

//! Projects, workflow, items, comments, history.

use serde_json::json;
use svc_domain::identity::Scope::{Admin, Read, Write};

use super::Row;
use crate::who::{
    ADMINISTER, AUTHOR, AUTHOR_OR_ADMIN, COMMENT, CONFIGURE, CREATE_PROJECTS, MOVE, OWN, SEE_FILES, SEE_ORG,
    SEE_PROJECT, WORK,
};

pub(super) fn rows() -> Vec<Row> {
    let workflow = json!({
        "version": 2,
        "states": [{"name": "Backlog", "group": "backlog"}, {"name": "In progress", "group": "active"}],
        "moves": [{"from": "Backlog", "to": "In progress"}],
    });
    let export = json!({
        "source": "csv",
        "files": [{"name": "shop.csv", "gzip": "H4sIAAAAAAACAwvJLMlJ5XLkAgBF68luCAAAAA=="}],
    });
    vec![
        Row::new("GET /orgs/{slug}/activity", SEE_ORG, Read),
        Row::new("GET /orgs/{slug}/changes", SEE_ORG, Read),
        Row::new("GET /orgs/{slug}/stream", SEE_ORG, Read),
        Row::new("GET /orgs/{slug}/projects", SEE_ORG, Read),
        Row::new("POST /orgs/{slug}/projects", CREATE_PROJECTS, Write)
            .body(json!({"key": "NEW", "name": "New"})),
        Row::new("GET /orgs/{slug}/projects/{key}", SEE_PROJECT, Read),
        Row::new("PATCH /orgs/{slug}/projects/{key}", CONFIGURE, Write)
            .body(json!({"version": 1, "archived": false}))
            .even_archived(),
        Row::new("DELETE /orgs/{slug}/projects/{key}", ADMINISTER, Admin)
            .query("confirm=PRJ")
            .even_archived(),
        Row::new("POST /orgs/{slug}/projects/{key}/restore", ADMINISTER, Admin).even_archived(),
        Row::new("GET /orgs/{slug}/projects/{key}/export", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/projects/{key}/import", CONFIGURE, Write)
            .body(json!({"source": "csv:shop.csv", "records": [{"kind": "label", "name": "imported"}]})),
        Row::new("POST /orgs/{slug}/projects/{key}/import/preview", CONFIGURE, Write).body(export.clone()),
        Row::new("POST /orgs/{slug}/projects/{key}/import/files", CONFIGURE, Write).body(export),
        Row::new("GET /orgs/{slug}/projects/{key}/workflow", SEE_PROJECT, Read),
        Row::new("PUT /orgs/{slug}/projects/{key}/workflow", CONFIGURE, Write).body(workflow),
        Row::new("POST /orgs/{slug}/render", SEE_ORG, Read).body(json!({"body": "**bold**"})),
        Row::new("POST /orgs/{slug}/items/{key}/tasks/{number}", WORK, Write)
            .body(json!({"version": 1, "done": true})),
        Row::new("GET /orgs/{slug}/items/{key}/page", SEE_PROJECT, Read),
        Row::new("GET /orgs/{slug}/projects/{key}/items.csv", SEE_PROJECT, Read),
        Row::new("GET /orgs/{slug}/projects/{key}/deleted-items", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/items/{key}/restore", WORK, Write),
        Row::new("POST /orgs/{slug}/items/{key}/transfer", WORK, Write)
            .body(json!({"version": 1, "project": "PRJ"})),
        Row::new("DELETE /orgs/{slug}/items/{key}", CONFIGURE, Write),
        Row::new("GET /orgs/{slug}/items", SEE_ORG, Read),
        Row::new("GET /orgs/{slug}/items/counts", SEE_ORG, Read),
        Row::new("GET /orgs/{slug}/projects/{key}/items/counts", SEE_PROJECT, Read),
        Row::new("GET /orgs/{slug}/projects/{key}/items", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/projects/{key}/items", WORK, Write)
            .body(json!({"type": "task", "title": "New"})),
        Row::new("GET /orgs/{slug}/items/{key}", SEE_PROJECT, Read),
        Row::new("PATCH /orgs/{slug}/items/{key}", WORK, Write)
            .body(json!({"version": 1, "title": "Changed"})),
        Row::new("GET /orgs/{slug}/items/{key}/comments", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/items/{key}/comments", COMMENT, Write).body(json!({"body": "Yes."})),
        Row::new("GET /orgs/{slug}/items/{key}/comments/{commentId}", SEE_PROJECT, Read),
        Row::new("PATCH /orgs/{slug}/items/{key}/comments/{commentId}", AUTHOR, Write)
            .body(json!({"version": 1, "body": "No."})),
        Row::new("DELETE /orgs/{slug}/items/{key}/comments/{commentId}", AUTHOR_OR_ADMIN, Write),
        Row::new("PUT /orgs/{slug}/items/{key}/comments/{commentId}/reactions", COMMENT, Write)
            .body(json!({"emoji": "👍"})),
        Row::new("DELETE /orgs/{slug}/items/{key}/comments/{commentId}/reactions/{emoji}", COMMENT, Write),
        Row::new("GET /orgs/{slug}/items/{key}/history", SEE_PROJECT, Read),
        Row::new("GET /orgs/{slug}/items/{key}/history/{entryId}/diff", SEE_PROJECT, Read)
            .answers(404, "not-found"),
        Row::new("GET /orgs/{slug}/items/{key}/comments/{commentId}/edits", SEE_PROJECT, Read),
        Row::new("GET /orgs/{slug}/items/{key}/comments/{commentId}/edits/{version}/diff", SEE_PROJECT, Read)
            .answers(404, "not-found"),
        Row::new("POST /orgs/{slug}/items/{key}/transition", MOVE, Write)
            .body(json!({"version": 1, "state": "In review"})),
        Row::new("POST /orgs/{slug}/items/{key}/claim", WORK, Write).body(json!({"version": 1})),
        Row::new("POST /orgs/{slug}/items/{key}/release", WORK, Write),
        Row::new("POST /orgs/{slug}/items/{key}/heartbeat", WORK, Write).answers(409, "not-claim-holder"),
        Row::new("GET /orgs/{slug}/items/{key}/attachments", SEE_FILES, Read),
        Row::new("POST /orgs/{slug}/items/{key}/attachments", MOVE, Write)
            .body(json!({"name": "a.txt", "size": 4, "contentType": "text/plain"})),
        Row::new("GET /orgs/{slug}/attachments/{id}", SEE_PROJECT, Read),
        Row::new("GET /orgs/{slug}/attachments/{id}/content", SEE_PROJECT, Read),
        // Committed already.
        Row::new("PUT /orgs/{slug}/attachments/{id}/content", OWN, Write).answers(409, "conflict"),
        Row::new("POST /orgs/{slug}/attachments/{id}/commit", OWN, Write),
        Row::new("DELETE /orgs/{slug}/attachments/{id}", CONFIGURE, Write),
    ]
}

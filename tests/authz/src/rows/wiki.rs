//! Wiki pages.

use serde_json::json;
use svc_domain::identity::Scope::{Read, Write};

use super::Row;
use crate::who::{CONFIGURE, SEE_PROJECT, WORK};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new("GET /orgs/{slug}/projects/{key}/wiki", SEE_PROJECT, Read),
        Row::new("GET /orgs/{slug}/projects/{key}/wiki/pages/{path}", SEE_PROJECT, Read),
        Row::new("PUT /orgs/{slug}/projects/{key}/wiki/pages/{path}", WORK, Write)
            .body(json!({"version": 1, "body": "Changed."})),
        Row::new("DELETE /orgs/{slug}/projects/{key}/wiki/pages/{path}", WORK, Write),
        Row::new("GET /orgs/{slug}/projects/{key}/wiki/deleted", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/projects/{key}/wiki/deleted/{id}/restore", WORK, Write),
        Row::new("GET /orgs/{slug}/projects/{key}/wiki/versions/{path}", SEE_PROJECT, Read),
        Row::new("GET /orgs/{slug}/projects/{key}/wiki/version/{number}/{path}", SEE_PROJECT, Read),
        Row::new("GET /orgs/{slug}/projects/{key}/wiki/diff/{path}", SEE_PROJECT, Read),
        Row::new("POST /orgs/{slug}/projects/{key}/wiki/restore/{path}", WORK, Write)
            .body(json!({"version": 1, "restore": 1})),
        Row::new("POST /orgs/{slug}/projects/{key}/wiki/move/{path}", WORK, Write)
            .body(json!({"version": 1, "to": "Manual"})),
        Row::new("GET /orgs/{slug}/projects/{key}/wiki/access/{path}", SEE_PROJECT, Read),
        Row::new("PUT /orgs/{slug}/projects/{key}/wiki/access/{path}", CONFIGURE, Write)
            .body(json!({"version": 1, "read": {"who": "members"}})),
    ]
}

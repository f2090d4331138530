//! What hangs on items: links, subtasks, watchers.

use serde_json::json;
use svc_domain::identity::Scope::{Read, Write};

use super::Row;
use crate::who::{SEE_PROJECT, WATCH, WORK};

pub(super) fn rows() -> Vec<Row> {
    vec![
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

//! Sign-in, tokens, organizations, members.

use serde_json::json;
use svc_domain::identity::Scope::{Admin, Read, Write};

use super::Row;
use crate::who::{
    ADMINISTER, ANYONE, CONFIGURE, PEOPLE, PEOPLE_AND_AGENTS, SEE_ORG, SEE_PROJECT, UNBOUND_PEOPLE,
};

pub(super) fn rows() -> Vec<Row> {
    let account = json!({
        "email": "new@example.com", "displayName": "New", "password": "long enough", "role": "guest",
    });
    let first = json!({
        "email": "first@example.com", "password": "long enough", "displayName": "First",
        "organization": {"slug": "first", "name": "First"},
    });
    vec![
        Row::new("GET /auth/setup", ANYONE, None),
        Row::new("POST /auth/register", ANYONE, None).body(first),
        Row::new("POST /auth/login", ANYONE, None)
            .body(json!({"email": "nobody@example.com", "password": "wrong"}))
            .answers(401, "wrong-password"),
        // A session ends itself; no token ends one.
        Row::new("POST /auth/logout", PEOPLE, None).answers(403, "forbidden"),
        Row::new("GET /me", PEOPLE_AND_AGENTS, None),
        Row::new("GET /me/tokens", PEOPLE, Read),
        Row::new("POST /me/tokens", PEOPLE, Admin).body(json!({"name": "x", "scopes": ["admin"]})),
        Row::new("DELETE /me/tokens/{id}", PEOPLE, Write).answers(404, "not-found"),
        Row::new("GET /orgs", PEOPLE_AND_AGENTS, Read),
        Row::new("POST /orgs", UNBOUND_PEOPLE, Write).body(json!({"slug": "mine", "name": "Mine"})),
        Row::new("GET /orgs/{slug}", SEE_ORG, Read),
        Row::new("GET /orgs/{slug}/members", SEE_ORG, Read),
        Row::new("POST /orgs/{slug}/members", ADMINISTER, Admin).body(account),
        Row::new("PATCH /orgs/{slug}/members/{userId}", ADMINISTER, Admin)
            .body(json!({"version": 1, "canStartAiWork": true})),
        Row::new("DELETE /orgs/{slug}/members/{userId}", ADMINISTER, Admin),
        Row::new("GET /orgs/{slug}/projects/{key}/members", SEE_PROJECT, Read),
        Row::new("PUT /orgs/{slug}/projects/{key}/members/{userId}", CONFIGURE, Write)
            .body(json!({"role": "admin"})),
        Row::new("DELETE /orgs/{slug}/projects/{key}/members/{userId}", CONFIGURE, Write),
    ]
}

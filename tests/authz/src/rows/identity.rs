//! Sign-in, tokens, organizations, members.

use serde_json::json;
use svc_domain::identity::Scope::{Admin, Read, Write};

use super::Row;
use crate::who::{
    ADMINISTER, ANYONE, CONFIGURE, GOVERN, GOVERN_UNFROZEN, LEAVE, PEOPLE, PEOPLE_AND_AGENTS,
    SEE_ADMINISTRATION, SEE_ORG, SEE_PROJECT, UNBOUND_PEOPLE,
};

pub(super) fn rows() -> Vec<Row> {
    let account = json!({ "email": "new@example.com", "role": "guest" });
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
        // There is no provider in the world.
        Row::new("POST /auth/oidc/start", ANYONE, None).body(json!({})).answers(409, "conflict"),
        Row::new("GET /auth/oidc/callback", ANYONE, None).answers(409, "conflict"),
        Row::new("DELETE /auth/oidc/connection", UNBOUND_PEOPLE, Admin),
        // A session renews itself; no token is renewed.
        Row::new("POST /auth/refresh", PEOPLE, None).answers(403, "forbidden"),
        Row::new("POST /auth/password", UNBOUND_PEOPLE, Admin)
            .body(json!({"currentPassword": svc_testkit::PASSWORD, "newPassword": "another long one"})),
        Row::new("POST /auth/password/forgot", ANYONE, None)
            .body(json!({"email": "owner@example.com"}))
            .answers(409, "conflict"),
        Row::new("POST /auth/password/reset", ANYONE, None)
            .body(json!({"secret": "svr_none", "newPassword": "another long one"}))
            .answers(409, "conflict"),
        Row::new("POST /auth/email/confirm", ANYONE, None)
            .body(json!({"secret": "sve_none"}))
            .answers(409, "conflict"),
        Row::new("POST /auth/invitations/look", ANYONE, None)
            .body(json!({"secret": "svi_none"}))
            .answers(404, "not-found"),
        Row::new("POST /auth/invitations/accept", ANYONE, None)
            .body(json!({"secret": "svi_none"}))
            .answers(404, "not-found"),
        Row::new("PATCH /me", UNBOUND_PEOPLE, Admin).body(json!({"version": 1, "displayName": "Somebody"})),
        // What the row sends is no image.
        Row::new("PUT /me/avatar", UNBOUND_PEOPLE, Admin).answers(422, "validation-failed"),
        Row::new("DELETE /me/avatar", UNBOUND_PEOPLE, Admin),
        Row::new("GET /avatars/{id}", PEOPLE_AND_AGENTS, Read).answers(404, "not-found"),
        Row::new("GET /me/sessions", UNBOUND_PEOPLE, Read),
        Row::new("DELETE /me/sessions", UNBOUND_PEOPLE, Write),
        Row::new("DELETE /me/sessions/{id}", UNBOUND_PEOPLE, Write).answers(404, "not-found"),
        Row::new("GET /me", PEOPLE_AND_AGENTS, None),
        Row::new("GET /me/tokens", PEOPLE, Read),
        Row::new("POST /me/tokens", PEOPLE, Admin).body(json!({"name": "x", "scopes": ["admin"]})),
        Row::new("DELETE /me/tokens/{id}", PEOPLE, Write).answers(404, "not-found"),
        Row::new("GET /orgs", PEOPLE_AND_AGENTS, Read),
        Row::new("POST /orgs", UNBOUND_PEOPLE, Write).body(json!({"slug": "mine", "name": "Mine"})),
        Row::new("GET /orgs/{slug}", SEE_ORG, Read),
        Row::new("PATCH /orgs/{slug}", ADMINISTER, Admin).body(json!({"version": 2, "name": "Renamed"})),
        Row::new("DELETE /orgs/{slug}", GOVERN, Admin).query("confirm=demo"),
        Row::new("POST /orgs/{slug}/restore", GOVERN, Admin),
        Row::new("POST /orgs/{slug}/leave", LEAVE, Write),
        Row::new("GET /orgs/{slug}/audit", SEE_ADMINISTRATION, Read),
        Row::new("GET /orgs/{slug}/group-roles", SEE_ADMINISTRATION, Read),
        Row::new("PUT /orgs/{slug}/group-roles", GOVERN_UNFROZEN, Admin)
            .body(json!({"version": 0, "groups": [{"group": "staff", "role": "member"}]})),
        Row::new("GET /orgs/{slug}/scim-tokens", SEE_ADMINISTRATION, Read),
        Row::new("POST /orgs/{slug}/scim-tokens", GOVERN_UNFROZEN, Admin).body(json!({"name": "Okta"})),
        Row::new("DELETE /orgs/{slug}/scim-tokens/{id}", GOVERN, Admin),
        Row::new("GET /orgs/{slug}/invitations", SEE_ADMINISTRATION, Read),
        Row::new("POST /orgs/{slug}/invitations", ADMINISTER, Admin)
            .body(json!({"email": "invited@example.com", "preset": "guest"})),
        Row::new("POST /orgs/{slug}/invitations/{id}/resend", ADMINISTER, Admin),
        Row::new("DELETE /orgs/{slug}/invitations/{id}", ADMINISTER, Admin),
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

//! The administration of the instance.

use serde_json::json;
use svc_domain::identity::Scope::Admin;

use super::Row;
use crate::who::INSTANCE_ADMINS;

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new("GET /admin", INSTANCE_ADMINS, Admin),
        Row::new("GET /admin/accounts", INSTANCE_ADMINS, Admin),
        Row::new("POST /admin/accounts/{id}/disable", INSTANCE_ADMINS, Admin),
        Row::new("POST /admin/accounts/{id}/enable", INSTANCE_ADMINS, Admin),
        Row::new("POST /admin/accounts/{id}/sign-out", INSTANCE_ADMINS, Admin),
        Row::new("POST /admin/accounts/{id}/password-link", INSTANCE_ADMINS, Admin),
        Row::new("GET /admin/orgs", INSTANCE_ADMINS, Admin),
        Row::new("PUT /admin/orgs/{slug}/plan", INSTANCE_ADMINS, Admin).body(json!({"plan": "free"})),
        // There is no mail in the world.
        Row::new("POST /admin/mail-test", INSTANCE_ADMINS, Admin).answers(409, "conflict"),
        Row::new("GET /admin/dead-letters", INSTANCE_ADMINS, Admin),
        Row::new("POST /admin/dead-letters/replay", INSTANCE_ADMINS, Admin),
        Row::new("GET /admin/audit", INSTANCE_ADMINS, Admin),
    ]
}

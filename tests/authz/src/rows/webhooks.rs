//! Outbound webhooks.

use serde_json::json;
use svc_domain::identity::Scope::{Admin, Read};

use super::Row;
use crate::who::{ADMINISTER, SEE_ADMINISTRATION};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new("GET /orgs/{slug}/webhooks", SEE_ADMINISTRATION, Read),
        Row::new("POST /orgs/{slug}/webhooks", ADMINISTER, Admin)
            .body(json!({"name": "Other", "url": "https://example.com/hook", "events": ["item.created"]})),
        Row::new("GET /orgs/{slug}/webhooks/{id}", SEE_ADMINISTRATION, Read),
        Row::new("PATCH /orgs/{slug}/webhooks/{id}", ADMINISTER, Admin)
            .body(json!({"version": 1, "name": "Renamed"})),
        Row::new("DELETE /orgs/{slug}/webhooks/{id}", ADMINISTER, Admin),
        Row::new("POST /orgs/{slug}/webhooks/{id}/rotate", ADMINISTER, Admin),
        Row::new("POST /orgs/{slug}/webhooks/{id}/test", ADMINISTER, Admin),
        Row::new("GET /orgs/{slug}/webhooks/{id}/deliveries", SEE_ADMINISTRATION, Read),
        Row::new("POST /orgs/{slug}/webhooks/{id}/deliveries/{delivery}/replay", ADMINISTER, Admin),
    ]
}

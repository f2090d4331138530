//! Rows of outbound webhooks. What reads them is in the table of `keys.rs`.

use svc_domain::ids::{DeliveryId, OrgId, WebhookId};
use svc_domain::webhook::Webhooks;

use super::org_pk;
use crate::{Key, KeyOf};

/// The outbound webhooks of an organization.
pub fn webhooks(org: OrgId) -> KeyOf<Webhooks> {
    KeyOf::new(org_pk(org), "WEBHOOKS")
}

/// Partition of what the webhooks of an organization sent.
pub fn deliveries_pk(org: OrgId) -> String {
    format!("SENT#{org}")
}

/// Sort keys of what a webhook sent begin with this.
pub fn deliveries_prefix(webhook: WebhookId) -> String {
    format!("{webhook}#")
}

/// What a webhook sent of one event: ids are in the order of what happened.
pub fn delivery(org: OrgId, webhook: WebhookId, delivery: DeliveryId) -> Key {
    Key::new(deliveries_pk(org), format!("{}{delivery}", deliveries_prefix(webhook)))
}

//! Path parameters of webhooks.

use schemars::JsonSchema;
use serde::Deserialize;
use svc_domain::ids::{DeliveryId, OrgSlug, WebhookId};

/// `/orgs/{slug}/webhooks/{id}/deliveries/{delivery}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct DeliveryPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub(crate) slug: OrgSlug,
    /// Id.
    #[schemars(with = "String")]
    pub(crate) id: WebhookId,
    /// Id of the delivery.
    #[schemars(with = "String")]
    pub(crate) delivery: DeliveryId,
}

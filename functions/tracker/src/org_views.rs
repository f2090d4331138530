//! Routes of an organization's saved views.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod update;

use schemars::JsonSchema;
use serde::Deserialize;
use svc_domain::ids::{OrgSlug, ViewId};

/// `/orgs/{slug}/views/{viewId}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrgViewPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub(crate) slug: OrgSlug,
    /// Id of the view.
    #[schemars(with = "String")]
    pub(crate) view_id: ViewId,
}

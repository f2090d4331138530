//! Teams of a project.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod update;

use schemars::JsonSchema;
use serde::Deserialize;
use svc_domain::ids::{OrgSlug, ProjectKey};

/// `/orgs/{slug}/projects/{key}/teams/{team}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct TeamPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub(crate) slug: OrgSlug,
    /// Key of the project.
    #[schemars(with = "String")]
    #[serde(deserialize_with = "svc_http::paths::in_capitals")]
    pub(crate) key: ProjectKey,
    /// Key of the team in any case, or its id.
    pub(crate) team: String,
}

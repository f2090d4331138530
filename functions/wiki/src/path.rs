//! Path parameters of a page.

use schemars::JsonSchema;
use serde::Deserialize;
use svc_domain::ids::{OrgSlug, PageId, ProjectKey};

/// `/orgs/{slug}/projects/{key}/wiki/…/{path}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct PagePath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub(crate) slug: OrgSlug,
    /// Key of the project.
    #[schemars(with = "String")]
    #[serde(deserialize_with = "svc_http::paths::in_capitals")]
    pub(crate) key: ProjectKey,
    /// Names from the root to the page, separated by `/`, whatever their case. The slashes are part of the
    /// address as they are.
    pub(crate) path: String,
}

/// `/orgs/{slug}/projects/{key}/wiki/version/{number}/{path}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct VersionPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub(crate) slug: OrgSlug,
    /// Key of the project.
    #[schemars(with = "String")]
    #[serde(deserialize_with = "svc_http::paths::in_capitals")]
    pub(crate) key: ProjectKey,
    /// Number of the version, from 1.
    pub(crate) number: u64,
    /// Names from the root to the page, separated by `/`, whatever their case. The slashes are part of the
    /// address as they are.
    pub(crate) path: String,
}

/// `/orgs/{slug}/projects/{key}/wiki/deleted/{id}/…`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct DeletedPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub(crate) slug: OrgSlug,
    /// Key of the project.
    #[schemars(with = "String")]
    #[serde(deserialize_with = "svc_http::paths::in_capitals")]
    pub(crate) key: ProjectKey,
    /// Id of the page.
    #[schemars(with = "String")]
    pub(crate) id: PageId,
}

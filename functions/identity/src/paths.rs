//! Path parameters of this area.

use schemars::JsonSchema;
use serde::Deserialize;
use svc_domain::ids::{OrgSlug, ProjectKey, TokenId, UserId};

/// `/orgs/{slug}/members/{userId}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MemberPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub(crate) slug: OrgSlug,
    /// Id of the account.
    #[schemars(with = "String")]
    pub(crate) user_id: UserId,
}

/// `/orgs/{slug}/projects/{key}/members/{userId}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProjectMemberPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub(crate) slug: OrgSlug,
    /// Key of the project.
    #[schemars(with = "String")]
    #[serde(deserialize_with = "svc_http::paths::in_capitals")]
    pub(crate) key: ProjectKey,
    /// Id of the account.
    #[schemars(with = "String")]
    pub(crate) user_id: UserId,
}

/// `/orgs/{slug}/scim-tokens/{id}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct ScimTokenPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub(crate) slug: OrgSlug,
    /// Id of the token.
    #[schemars(with = "String")]
    pub(crate) id: TokenId,
}

//! Path parameters, shared by the areas. Axum fills them by name.

use schemars::JsonSchema;
use serde::Deserialize;
use svc_domain::ids::{ItemKey, OrgSlug, ProjectKey, RunId};

/// `/orgs/{slug}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct OrgPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub slug: OrgSlug,
}

/// `/orgs/{slug}/projects/{key}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ProjectPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub slug: OrgSlug,
    /// Key of the project.
    #[schemars(with = "String")]
    pub key: ProjectKey,
}

/// `/orgs/{slug}/projects/{key}/labels/{name}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct LabelPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub slug: OrgSlug,
    /// Key of the project.
    #[schemars(with = "String")]
    pub key: ProjectKey,
    /// Name of the label, whatever its case.
    pub name: String,
}

/// `/orgs/{slug}/items/{key}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ItemPath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub slug: OrgSlug,
    /// Key of the item, such as `PRJ-12`.
    #[schemars(with = "String")]
    pub key: ItemKey,
}

/// `/orgs/{slug}/…/{id}` for something with an id.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(bound = "")]
pub struct OrgIdPath<I> {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub slug: OrgSlug,
    /// Id.
    #[schemars(with = "String")]
    pub id: I,
}

/// `/orgs/{slug}/projects/{key}/…/{id}` for something with an id.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(bound = "")]
pub struct ProjectIdPath<I> {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub slug: OrgSlug,
    /// Key of the project.
    #[schemars(with = "String")]
    pub key: ProjectKey,
    /// Id.
    #[schemars(with = "String")]
    pub id: I,
}

/// `/…/{id}` for something with an id.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(bound = "")]
pub struct IdPath<I> {
    /// Id.
    #[schemars(with = "String")]
    pub id: I,
}

/// `/runs/{id}` and `/runner/runs/{id}`.
pub type RunPath = IdPath<RunId>;

//! Routes of a project's intakes, and of what arrives at them.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod receive;
pub(crate) mod rotate;
pub(crate) mod update;

use schemars::JsonSchema;
use serde::Deserialize;
use svc_domain::ids::{IntakeId, OrgSlug, ProjectKey};

/// `/orgs/{slug}/projects/{key}/intakes/{id}`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct IntakePath {
    /// Slug of the organization.
    #[schemars(with = "String")]
    pub(crate) slug: OrgSlug,
    /// Key of the project.
    #[schemars(with = "String")]
    pub(crate) key: ProjectKey,
    /// Id of the intake.
    #[schemars(with = "String")]
    pub(crate) id: IntakeId,
}

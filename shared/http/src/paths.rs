//! Path parameters, shared by the areas. Axum fills them by name.

use std::fmt;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use svc_app::What;
use svc_domain::ids::{ItemKey, OrgSlug, ProjectKey, RunId};
use svc_domain::run::artifacts::ArtifactName;

/// Reads a key of an item or project as people type it: in capitals, whatever its case. Answers have the key as it is.
///
/// # Errors
/// A text that is no such key.
pub fn in_capitals<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>
where
    T::Err: fmt::Display,
{
    String::deserialize(deserializer)?.to_ascii_uppercase().parse().map_err(D::Error::custom)
}

/// The key of an item that a part of an address is, as [`in_capitals`] reads it from there.
pub(crate) fn item_key_in(part: &str) -> Option<ItemKey> {
    percent_decode_str(part).decode_utf8().ok()?.to_ascii_uppercase().parse().ok()
}

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
    #[serde(deserialize_with = "in_capitals")]
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
    #[serde(deserialize_with = "in_capitals")]
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
    #[serde(deserialize_with = "in_capitals")]
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
    #[serde(deserialize_with = "in_capitals")]
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

/// `/runs/{id}/artifacts/{file}` and `/runner/runs/{id}/artifacts/{file}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ArtifactPath {
    /// Id.
    #[schemars(with = "String")]
    pub id: RunId,
    /// Name of the file.
    #[schemars(with = "String")]
    #[serde(deserialize_with = "parsed")]
    pub file: ArtifactName,
}

/// Reads what parses itself.
fn parsed<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>
where
    T::Err: fmt::Display,
{
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

/// Where a request is: its organization and, inside of one, its project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) org: OrgSlug,
    pub(crate) project: Option<ProjectKey>,
}

impl Place {
    /// The place of an address below `/api/v1/orgs/{slug}`.
    pub(crate) fn of(path: &str) -> Option<Self> {
        let mut parts = path.strip_prefix("/api/v1/orgs/")?.split('/');
        let org = parts.next()?.parse().ok()?;
        let project = match (parts.next(), parts.next()) {
            (Some("projects"), Some(key)) => key.parse().ok(),
            (Some("items"), Some(key)) => key.parse().ok().map(|key: ItemKey| key.project),
            _ => None,
        };
        Some(Self { org, project })
    }
}

/// The address of something that a request made in an organization.
pub(crate) fn address_of(org: Option<&OrgSlug>, what: &What) -> Option<String> {
    let below = match what {
        What::Org(slug) => return Some(format!("/api/v1/orgs/{slug}")),
        What::Project(key) => format!("projects/{key}"),
        What::Item(key) => format!("items/{key}"),
        What::Comment(item, comment) => format!("items/{item}/comments/{comment}"),
        What::Sprint(id) => format!("sprints/{id}"),
        What::Run(id) => format!("runs/{id}"),
    };
    Some(format!("/api/v1/orgs/{}/{below}", org?))
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn a_place_is_told_from_an_address() {
        let place = |path| {
            Place::of(path).map(|place| (place.org.to_string(), place.project.map(|key| key.to_string())))
        };
        let of = |org: &str, project: Option<&str>| Some((org.to_owned(), project.map(str::to_owned)));
        assert_eq!(place("/api/v1/orgs/acme/projects/WEB/items"), of("acme", Some("WEB")));
        assert_eq!(place("/api/v1/orgs/acme/items/WEB-1/claim"), of("acme", Some("WEB")));
        assert_eq!(place("/api/v1/orgs/acme/runners"), of("acme", None));
        assert_eq!(place("/api/v1/orgs/acme"), of("acme", None));
        assert_eq!(place("/api/v1/me/tokens"), None);
    }
}

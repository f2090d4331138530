//! Teams of a project (specification section 4.2).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Actor;

/// A team. It plans its own sprints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Team {
    /// Id.
    pub id: String,
    /// Short name, unique in the project ignoring case; addresses accept it instead of the id.
    pub key: String,
    /// Name shown to people.
    pub name: String,
    /// Whether it is archived; an archived team cannot plan sprints.
    #[serde(default)]
    pub archived: bool,
    /// Its members, who are all members of the project.
    #[serde(default)]
    pub members: Vec<Actor>,
    /// When it was created.
    pub created_at: Timestamp,
    /// Current version.
    pub version: u64,
}

/// Creates a team (`POST …/projects/{key}/teams`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTeam {
    /// 1 to 20 letters, digits and inner hyphens.
    #[schemars(example = &"web")]
    pub key: String,
    /// Name shown to people.
    #[schemars(example = &"Web front end")]
    pub name: String,
    /// Ids of members of the project.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<String>,
}

/// Changes a team (`PATCH …/teams/{team}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateTeam {
    /// The version last read.
    pub version: u64,
    /// New name.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// Archives or revives the team.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub archived: Option<bool>,
    /// Ids of its members; replaces all of them.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub members: Option<Vec<String>>,
}

/// A reference to a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamRef {
    /// Id.
    pub id: String,
    /// Key.
    pub key: String,
    /// Name.
    pub name: String,
}

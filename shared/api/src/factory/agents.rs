//! Agents: bot identities that work on items (specification section 1.5).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::deletion::Deletion;
use crate::identity::Actor;
use crate::patch::Patch;

/// A reference to a resource: its id and name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ref {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
}

/// A bot identity that works on items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    /// Id.
    pub id: String,
    /// Name shown to others; mentioned as `@name`.
    pub name: String,
    /// The person who owns it.
    pub owner: Actor,
    /// Model that the harness uses; the harness's default when absent.
    #[serde(default)]
    #[schemars(example = &"opus")]
    pub model: Option<String>,
    /// A disabled agent takes no new runs.
    pub disabled: bool,
    /// Current version.
    pub version: u64,
    /// Set if it was deleted and can be restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion: Option<Deletion>,
}

/// Creates an agent (`POST /orgs/{slug}/agents`). The caller owns it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewAgent {
    /// 1 to 60 characters on one line, unique in the organization ignoring case.
    pub name: String,
    /// Model that the harness uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"opus")]
    pub model: Option<String>,
}

/// Changes an agent (`PATCH /orgs/{slug}/agents/{id}`).
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateAgent {
    /// The version last read.
    pub version: u64,
    /// New name.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// New model; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[schemars(example = &"opus")]
    pub model: Patch<String>,
    /// Disables or enables it.
    #[serde(default, deserialize_with = "crate::patch::given", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub disabled: Option<bool>,
}

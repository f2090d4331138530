//! Roles that groups of an identity provider give, and the tokens with which it writes the directory (SCIM).

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::OrgRole;

/// A group and the role that it gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupRole {
    /// Name of the group, exactly as the identity provider writes it. Some providers write an id.
    #[schemars(example = &"engineering")]
    pub group: String,
    /// Role that its people have in the organization, unless another group or a person gave them a higher one.
    pub role: OrgRole,
}

/// The roles that groups give in an organization (`GET /orgs/{slug}/group-roles`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupRoles {
    /// The groups that give a role, by name.
    pub groups: Vec<GroupRole>,
    /// Whether groups count that the identity provider of the instance names when somebody signs in: the operator
    /// decides it. Groups that come by SCIM count in any case.
    pub at_sign_in: bool,
    /// Current version; 0 before the first change.
    pub version: u64,
}

/// Sets the roles that groups give (`PUT /orgs/{slug}/group-roles`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({
    "version": 0, "groups": [{"group": "engineering", "role": "member"}]
}))]
pub struct SetGroupRoles {
    /// The version last read.
    pub version: u64,
    /// All groups that give a role: at most 100. A group that is left out gives none any more.
    pub groups: Vec<GroupRole>,
}

/// A token with which an identity provider writes people and groups of an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScimToken {
    /// Id.
    pub id: String,
    /// What it is for.
    pub name: String,
    /// Name of the person who made it; absent when they left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Whether it works: it does as long as the person who made it is an Owner.
    pub works: bool,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A SCIM token to make (`POST /orgs/{slug}/scim-tokens`).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = serde_json::json!({ "name": "Okta" }))]
pub struct NewScimToken {
    /// What it is for, such as the name of the provider.
    pub name: String,
}

/// A SCIM token and its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedScimToken {
    /// The token.
    pub token: ScimToken,
    /// The secret, shown only once.
    pub secret: String,
    /// The address to enter at the identity provider.
    pub address: String,
}

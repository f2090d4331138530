//! The directory of an organization: the people and groups that its identity provider writes into it (SCIM 2.0, RFC 7643).
//!
//! It is the provider's list and no account: names and addresses in it are never written into one. A person of the list is
//! invited, or is linked with a membership that there is.
//!
//! | person    | made active                     | made inactive, or deleted | membership ends by hand |
//! |-----------|---------------------------------|---------------------------|-------------------------|
//! | inactive  | linked with the member of the address; otherwise invited | inactive | inactive         |
//! | invited   | invited                         | the invitation is withdrawn | cannot be             |
//! | linked    | linked                          | the membership ends, but the last Owner's | shown as inactive |

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{DirectoryGroupId, DirectoryUserId, TokenId, UserId};

/// A token with which an identity provider writes the directory, as its organization lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DirectoryToken {
    /// Id.
    pub id: TokenId,
    /// What it is for.
    pub name: String,
    /// The Owner who made it: it works as long as they are one.
    pub by: UserId,
    /// Hex SHA-256 of the secret.
    pub secret_hash: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A person of the directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DirectoryUser {
    /// Id.
    pub id: DirectoryUserId,
    /// Address (`userName`), which is unique in the directory whatever its case.
    pub email: String,
    /// What the provider calls them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    /// Name, as the provider writes it; shown to the provider only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Whether the provider wants them to belong to the organization.
    pub active: bool,
    /// The member that they are; `None` while they are invited or inactive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// The groups that they are in.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub groups: BTreeSet<DirectoryGroupId>,
    /// When the provider wrote them first.
    pub created_at: Timestamp,
    /// When they changed last.
    pub changed_at: Timestamp,
}

/// A group of the directory. Who is in it is said by the people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DirectoryGroup {
    /// Id.
    pub id: DirectoryGroupId,
    /// Name, which is unique in the directory whatever its case; roles are mapped to it.
    pub name: String,
    /// What the provider calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    /// When the provider wrote it first.
    pub created_at: Timestamp,
    /// When it changed last, or who is in it.
    pub changed_at: Timestamp,
}

//! Rows of an organization's directory, and of the roles that groups give. The table of all rows is in the module above.

use svc_domain::directory::{DirectoryGroup, DirectoryToken, DirectoryUser};
use svc_domain::groups::GroupRoles;
use svc_domain::ids::{DirectoryGroupId, DirectoryUserId, OrgId, TokenId};

use super::org_pk;
use crate::{Key, KeyOf};

/// The roles that groups of the identity provider give.
pub fn group_roles(org: OrgId) -> KeyOf<GroupRoles> {
    KeyOf::new(org_pk(org), "GROUPS")
}

/// Sort keys of the directory's tokens begin with this.
pub const DIRECTORY_TOKEN_PREFIX: &str = "SCIM#";

/// A token of the directory.
pub fn directory_token(org: OrgId, token: TokenId) -> KeyOf<DirectoryToken> {
    KeyOf::new(org_pk(org), format!("{DIRECTORY_TOKEN_PREFIX}{token}"))
}

/// Sort keys of the directory's people begin with this.
pub const DIRECTORY_USER_PREFIX: &str = "SCIMUSER#";

/// A person of the directory.
pub fn directory_user(org: OrgId, user: DirectoryUserId) -> KeyOf<DirectoryUser> {
    KeyOf::new(org_pk(org), format!("{DIRECTORY_USER_PREFIX}{user}"))
}

/// Sort keys of the directory's groups begin with this.
pub const DIRECTORY_GROUP_PREFIX: &str = "SCIMGROUP#";

/// A group of the directory.
pub fn directory_group(org: OrgId, group: DirectoryGroupId) -> KeyOf<DirectoryGroup> {
    KeyOf::new(org_pk(org), format!("{DIRECTORY_GROUP_PREFIX}{group}"))
}

/// The person of the directory who has an address (`userName`).
pub fn directory_email(org: OrgId, email: &str) -> Key {
    super::org_name(org, "scimUser", email.trim())
}

/// The group of the directory that has a name.
pub fn directory_group_name(org: OrgId, name: &str) -> Key {
    super::org_name(org, "scimGroup", name)
}

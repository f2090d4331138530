//! What the wire shows of the roles that groups give, and of the directory's tokens.

use svc_api::identity as wire;
use svc_app::identity::MappedGroups;
use svc_app::identity::directory::{CreatedDirectoryToken, ListedDirectoryToken};

use crate::words::Word;

/// The roles that groups give.
pub fn group_roles(seen: MappedGroups) -> wire::GroupRoles {
    let groups = seen.mapped.roles.into_iter();
    wire::GroupRoles {
        groups: groups.map(|(group, role)| wire::GroupRole { group, role: role.sent() }).collect(),
        at_sign_in: seen.at_sign_in,
        version: seen.version,
    }
}

/// A token of the directory, without its secret.
pub fn scim_token(listed: ListedDirectoryToken) -> wire::ScimToken {
    wire::ScimToken {
        id: listed.token.id.to_string(),
        name: listed.token.name,
        by: listed.by,
        works: listed.works,
        created_at: listed.token.created_at,
    }
}

/// A token of the directory that was just made.
pub fn created_scim_token(made: CreatedDirectoryToken) -> wire::CreatedScimToken {
    wire::CreatedScimToken { token: scim_token(made.listed), secret: made.secret, address: made.address }
}

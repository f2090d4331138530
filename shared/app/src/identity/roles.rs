//! The roles of people in an organization, for texts that name their authors.

use std::collections::{BTreeMap, BTreeSet};

use svc_domain::identity::OrgRole;
use svc_domain::ids::{OrgId, UserId};
use svc_storage::{Limits, keys};

use crate::App;
use crate::error::Result;

/// The roles of those of these people who are members. Decides nothing: the caller sees what they wrote already.
///
/// # Errors
/// When the store does not answer.
pub async fn roles(app: &App, org: OrgId, users: BTreeSet<UserId>) -> Result<BTreeMap<UserId, OrgRole>> {
    let users: Vec<UserId> = users.into_iter().collect();
    let mut roles = BTreeMap::new();
    for some in users.chunks(Limits::KEYS) {
        let wanted: Vec<_> = some.iter().map(|user| keys::member(org, *user)).collect();
        for row in app.table.get_many(&wanted).await?.into_iter().flatten() {
            let member = app.parse_cache.members.read(&row)?;
            roles.insert(member.user, member.role);
        }
    }
    Ok(roles)
}

//! The roles of people in an organization, for texts that name their authors.

use std::collections::{BTreeMap, BTreeSet};

use svc_domain::identity::OrgRole;
use svc_domain::ids::{OrgId, UserId};
use svc_storage::keys;

use crate::App;
use crate::error::Result;
use crate::wanted;

/// The roles of those of these people who are members. Decides nothing: the caller sees what they wrote already.
///
/// # Errors
/// When the store does not answer.
pub async fn roles(app: &App, org: OrgId, users: BTreeSet<UserId>) -> Result<BTreeMap<UserId, OrgRole>> {
    let wanted: Vec<_> = users.into_iter().map(|user| keys::member(org, user)).collect();
    let mut roles = BTreeMap::new();
    for row in wanted::load(app, wanted).await?.into_iter().flatten() {
        let member = app.parse_cache.members.read(&row)?;
        roles.insert(member.user, member.role);
    }
    Ok(roles)
}

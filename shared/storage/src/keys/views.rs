//! Rows of saved views.

use svc_domain::ids::{OrgId, ProjectKey, UserId};
use svc_domain::saved_view::Views;

use super::{org_pk, project_pk};
use crate::KeyOf;

/// The saved views that everyone in a project or an organization sees. Sort keys of all its views begin with the same.
pub const SHARED_VIEWS: &str = "VIEWS";

/// The saved views of a project that everyone in it sees.
pub fn shared_views(org: OrgId, key: &ProjectKey) -> KeyOf<Views> {
    KeyOf::new(project_pk(org, key), SHARED_VIEWS)
}

/// A person's own saved views of a project.
pub fn personal_views(org: OrgId, key: &ProjectKey, user: UserId) -> KeyOf<Views> {
    KeyOf::new(project_pk(org, key), format!("{SHARED_VIEWS}#{user}"))
}

/// The saved views of an organization that its people see.
pub fn shared_org_views(org: OrgId) -> KeyOf<Views> {
    KeyOf::new(org_pk(org), SHARED_VIEWS)
}

/// A person's own saved views of an organization.
pub fn personal_org_views(org: OrgId, user: UserId) -> KeyOf<Views> {
    KeyOf::new(org_pk(org), format!("{SHARED_VIEWS}#{user}"))
}

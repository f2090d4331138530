//! The people whom a caller may know of: the members of their projects, and those who administer the organization. Who
//! administers it knows everybody.

use std::collections::BTreeSet;

use svc_domain::access::{Access, Capability, Standing};
use svc_domain::identity::{Member, ProjectMember};
use svc_domain::ids::{OrgId, ProjectKey, UserId};
use svc_storage::{Limits, Query, Range, keys};

use crate::App;
use crate::error::Result;
use crate::wanted;

/// Whom a caller may know of; everybody where there is no list.
pub(crate) struct Known(Option<BTreeSet<UserId>>);

impl Known {
    /// Whom this caller may know of.
    pub(crate) async fn to(app: &App, access: &Access) -> Result<Self> {
        if access.may(Capability::SeeAdministration) {
            return Ok(Self(None));
        }
        Ok(Self(Some(of(app, access).await?)))
    }

    /// Whether a member is among them.
    pub(crate) fn includes(&self, member: &Member) -> bool {
        let Self(Some(known)) = self else { return true };
        known.contains(&member.user) || member.role.administers()
    }
}

/// The people of a caller's projects, and the caller.
async fn of(app: &App, access: &Access) -> Result<BTreeSet<UserId>> {
    let projects = match &access.standing {
        Standing::Member(member) => projects_of(app, access.org, member.user).await?,
        Standing::Agent { project, .. } => vec![project.clone()],
    };
    let mut people: BTreeSet<UserId> = access.user().into_iter().collect();
    for project in projects {
        let range = Range::Prefix(keys::MEMBER_PREFIX.to_owned());
        let query = Query::new(keys::project_pk(access.org, &project), range, Limits::KEYS);
        for row in app.table.query_all(query).await? {
            people.insert(row.read::<ProjectMember>()?.user);
        }
    }
    Ok(people)
}

async fn projects_of(app: &App, org: OrgId, user: UserId) -> Result<Vec<ProjectKey>> {
    let range = Range::Prefix(keys::PROJECT_PREFIX.to_owned());
    let rows = app.table.query_all(Query::new(keys::org_pk(org), range, Limits::KEYS)).await?;
    let all: Vec<ProjectKey> =
        rows.iter().filter_map(|row| row.key.sk.strip_prefix(keys::PROJECT_PREFIX)?.parse().ok()).collect();
    let memberships: Vec<_> = all.iter().map(|key| keys::project_member(org, key, user)).collect();
    let rows = wanted::load(app, memberships).await?;
    Ok(all.into_iter().zip(rows).filter_map(|(key, row)| row.map(|_| key)).collect())
}

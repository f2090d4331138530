//! Members of a project.

use svc_domain::access::Capability;
use svc_domain::identity::{Member, ProjectMember, ProjectRole};
use svc_domain::ids::{OrgId, OrgSlug, ProjectKey, UserId};
use svc_storage::{Condition, Key, Limits, Op, Query, Range, keys};

use crate::App;
use crate::entry::{Presented, enter_project};
use crate::error::Result;

/// Every member of a project, by name. Owners and Admins of the organization see every project and need no
/// role in it.
///
/// # Errors
/// As [`enter_project`].
pub async fn project_members(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    project: &ProjectKey,
) -> Result<Vec<ProjectMember>> {
    let entry = enter_project(app, caller, slug, project, Capability::SeeProject, |_| Vec::new()).await?;
    let range = Range::Prefix(keys::MEMBER_PREFIX.to_owned());
    let partition = keys::project_pk(entry.org_id(), project);
    let rows = app.table.query_all(Query::new(partition, range, Limits::KEYS)).await?;
    let mut members: Vec<ProjectMember> = rows.iter().map(|row| row.read()).collect::<Result<_, _>>()?;
    members.sort_by_cached_key(|member| (member.display_name.to_lowercase(), member.user));
    Ok(members)
}

/// Gives a member of the organization a role in a project.
///
/// # Errors
/// As [`enter_project`]; [`Refusal::NotFound`](svc_domain::refusal::Refusal::NotFound) for who is no member
/// of the organization.
pub async fn set_project_member(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    project: &ProjectKey,
    user: UserId,
    role: ProjectRole,
) -> Result<ProjectMember> {
    app.decide(|| async move {
        let rows = |org| vec![keys::member(org, user)];
        let mut entry = enter_project(app, caller, slug, project, Capability::ConfigureProject, rows).await?;
        let row = entry.take(0)?;
        let member: Member = row.read()?;
        let set = ProjectMember { user, display_name: member.display_name, role };
        app.commit(vec![
            Op::check(row.key, Condition::Version(row.version)),
            Op::put(keys::project_member(entry.org_id(), project, user), Condition::None, &set),
        ])
        .await?;
        Ok(set)
    })
    .await
}

/// Takes a member out of a project.
///
/// # Errors
/// As [`enter_project`]; [`Refusal::NotFound`](svc_domain::refusal::Refusal::NotFound) for who is not in it.
pub async fn remove_project_member(
    app: &App,
    caller: Option<&Presented>,
    slug: &OrgSlug,
    project: &ProjectKey,
    user: UserId,
) -> Result<()> {
    let rows = |org: OrgId| -> Vec<Key> { vec![keys::project_member(org, project, user)] };
    let mut entry = enter_project(app, caller, slug, project, Capability::ConfigureProject, rows).await?;
    let row = entry.take(0)?;
    app.commit(vec![Op::delete(row.key, Condition::None)]).await
}

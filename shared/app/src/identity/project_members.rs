//! Members of a project.

use svc_domain::access::Capability;
use svc_domain::event::ProjectEvent;
use svc_domain::identity::{Member, ProjectMember, ProjectRole};
use svc_domain::ids::{ProjectKey, UserId};
use svc_domain::membership::lowers;
use svc_domain::natural::natural_key;
use svc_domain::refusal::Refusal;
use svc_storage::{Condition, Limits, Op, Query, Range, RowOf, keys};

use crate::App;
use crate::entry::{Caller, enter_project, enter_project_with};
use crate::error::Result;
use crate::transaction::Transaction;

/// A member of a project as callers see it.
#[derive(Clone, Debug)]
pub struct SeenProjectMember {
    /// The member.
    pub member: ProjectMember,
    /// Version of the membership.
    pub version: u64,
}

/// The new role of a member.
#[derive(Clone, Copy, Debug)]
pub struct SetRole {
    /// The role.
    pub role: ProjectRole,
    /// The version last read, 0 for none; `None` gives or raises the role, and never lowers one.
    pub version: Option<u64>,
}

/// Every member of a project, by name. Owners and Admins of the organization see every project and need no
/// role in it.
///
/// # Errors
/// As [`enter_project`].
pub async fn project_members(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
) -> Result<Vec<SeenProjectMember>> {
    let entry = enter_project(app, caller, project, Capability::SeeProject).await?;
    let range = Range::Prefix(keys::MEMBER_PREFIX.to_owned());
    let partition = keys::project_pk(entry.org_id(), project);
    let rows = app.table.query_all(Query::new(partition, range, Limits::KEYS)).await?;
    let mut members = Vec::new();
    for row in rows {
        members.push(SeenProjectMember { member: row.read()?, version: row.version });
    }
    members.sort_by_cached_key(|seen| (natural_key(&seen.member.display_name), seen.member.user));
    Ok(members)
}

/// Gives a member of the organization a role in a project.
///
/// # Errors
/// As [`enter_project`]; [`Refusal::NotFound`] for who is no member of the organization;
/// [`Refusal::StaleVersion`], also where the role would be lowered and no version says that it was read.
pub async fn set_project_member(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    user: UserId,
    set: SetRole,
) -> Result<SeenProjectMember> {
    app.decide(|| async move {
        let wanted = |org| (keys::member(org, user), keys::project_member(org, project, user));
        let (entry, (row, held)) =
            enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
        let row = row.ok_or(Refusal::NotFound)?;
        let member: Member = row.read()?;
        let current = held.as_ref().map_or(0, |row| row.version);
        let before = held.as_ref().map(RowOf::read).transpose()?;
        let lowers = before.is_some_and(|before| lowers(before.role, set.role));
        if set.version.map_or(lowers, |version| version != current) {
            return Err(Refusal::StaleVersion { current }.into());
        }
        let member = ProjectMember { user, display_name: member.display_name, role: set.role };
        let known = if current == 0 { Condition::Absent } else { Condition::Version(current) };
        let ops =
            [row.unchanged(), Op::put(keys::project_member(entry.org_id(), project, user), known, &member)];
        let told = ProjectEvent::MemberSet(project.clone(), user, set.role);
        app.commit(Transaction::of(app, &entry).with(ops).telling(told)).await?;
        Ok(SeenProjectMember { member, version: current + 1 })
    })
    .await
}

/// Takes a member out of a project.
///
/// # Errors
/// As [`enter_project`]; [`Refusal::NotFound`] for who is not in it.
pub async fn remove_project_member(
    app: &App,
    caller: Caller<'_>,
    project: &ProjectKey,
    user: UserId,
) -> Result<()> {
    let wanted = |org| keys::project_member(org, project, user);
    let (entry, row) = enter_project_with(app, caller, project, Capability::ConfigureProject, wanted).await?;
    let row = row.ok_or(Refusal::NotFound)?;
    let removed = ProjectEvent::MemberRemoved(project.clone(), user);
    app.commit(
        Transaction::of(app, &entry).with([Op::delete(row.key.clone(), Condition::None)]).telling(removed),
    )
    .await
}

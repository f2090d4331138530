//! What the commands of this noun share: how they name a thing and how they show it.

use crate::commands::deleted::{self, Gone};
use crate::failure::Failure;
use crate::output::{Cell, Column, Table, name, option, yes};
use crate::session::Session;
use svc_api::identity::{OrgRole, ProjectRole};
use svc_api::tracker::{Project, UpdateProject};
use svc_client::Org;
use svc_domain::ids::ProjectKey;

/// Reads the project's version, then changes it under that version.
pub(super) async fn change(
    key: &ProjectKey,
    change: UpdateProject,
    session: &Session<'_>,
) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let version = session.org(&org).project(key.as_str()).await?.version;
    let change = UpdateProject { version, ..change };
    let project = session.org(&org).update_project(key.as_str(), &change).await?;
    session.output.one(&project, table)
}

/// A role in a project, as people say it: a Guest of the organization is one in each of its projects.
pub(super) fn role(in_project: Option<ProjectRole>, in_org: Option<OrgRole>) -> String {
    match (in_project, in_org) {
        (Some(ProjectRole::Member), Some(OrgRole::Guest)) => name(&OrgRole::Guest),
        (in_project, _) => option(in_project.as_ref().map(name).as_deref()),
    }
}

/// The caller's role in the organization, if what they are in these projects depends on it.
///
/// # Errors
/// The instance does not tell.
pub(super) async fn role_in_org(org: Org<'_>, projects: &[Project]) -> Result<Option<OrgRole>, Failure> {
    if projects.iter().any(|project| project.role == Some(ProjectRole::Member)) {
        return Ok(Some(org.get().await?.role));
    }
    Ok(None)
}

/// A project that was changed.
pub(super) fn table(projects: &[Project]) -> Table {
    // Guests change no project.
    table_for(projects, None, true)
}

/// Projects that were deleted, one a row.
pub(super) fn deleted_table(projects: &[Project]) -> Table {
    let gone = projects.iter().map(|project| Gone {
        id: &project.key,
        deletion: project.deletion.as_ref(),
        name: &project.name,
    });
    deleted::table("KEY", gone)
}

/// Projects, one a row, as the caller has this role in the organization.
pub(super) fn table_for(projects: &[Project], in_org: Option<OrgRole>, archived: bool) -> Table {
    let mut columns = vec![Column::fixed("KEY"), Column::fixed("ROLE")];
    columns.extend(archived.then(|| Column::fixed("ARCHIVED")));
    columns.push(Column::flexible("NAME"));
    let mut table = Table::new(columns);
    for project in projects {
        let mut row: Vec<Cell> = vec![project.key.as_str().into(), role(project.role, in_org).into()];
        row.extend(archived.then(|| yes(project.archived).into()));
        row.push(project.name.as_str().into());
        table.row(row);
    }
    table
}

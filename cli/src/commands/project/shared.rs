//! What the commands of this noun share: how they name a thing and how they show it.

use crate::failure::Failure;
use crate::output::{Column, Table, name, option, yes};
use crate::session::Session;
use svc_api::tracker::{Project, UpdateProject};
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

/// Projects, one a row.
pub(super) fn table(projects: &[Project]) -> Table {
    let mut table = Table::new([
        Column::fixed("KEY"),
        Column::fixed("ROLE"),
        Column::fixed("ARCHIVED"),
        Column::flexible("NAME"),
    ]);
    for project in projects {
        table.row([
            project.key.as_str().into(),
            option(project.role.as_ref().map(name).as_deref()).into(),
            yes(project.archived).into(),
            project.name.as_str().into(),
        ]);
    }
    table
}

/// Projects, one a row, none of which is archived.
pub(super) fn live_table(projects: &[Project]) -> Table {
    let mut table = Table::new([Column::fixed("KEY"), Column::fixed("ROLE"), Column::flexible("NAME")]);
    for project in projects {
        table.row([
            project.key.as_str().into(),
            option(project.role.as_ref().map(name).as_deref()).into(),
            project.name.as_str().into(),
        ]);
    }
    table
}

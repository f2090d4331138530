//! `svc project`.

mod archive;
mod create;
mod edit;
mod list;
mod member;
mod unarchive;
mod view;

use clap::Subcommand;
use svc_api::tracker::{Project, UpdateProject};
use svc_domain::ids::ProjectKey;

use crate::failure::Failure;
use crate::output::{Column, Table, name, option, yes};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    View(view::Args),
    Create(create::Args),
    Edit(edit::Args),
    Archive(archive::Args),
    Unarchive(unarchive::Args),
    /// Say who works in a project
    #[command(subcommand)]
    Member(member::Command),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Archive(args) => archive::run(args, session).await,
        Command::Unarchive(args) => unarchive::run(args, session).await,
        Command::Member(command) => member::run(command, session).await,
    }
}

/// Reads the project's version, then changes it under that version.
async fn change(key: &ProjectKey, change: UpdateProject, session: &Session<'_>) -> Result<(), Failure> {
    let org = session.org_slug().await?;
    let version = session.org(&org).project(key.as_str()).await?.version;
    let change = UpdateProject { version, ..change };
    let project = session.org(&org).update_project(key.as_str(), &change).await?;
    session.output.one(&project, table)
}

/// Projects, one a row.
fn table(projects: &[Project]) -> Table {
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
fn live_table(projects: &[Project]) -> Table {
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

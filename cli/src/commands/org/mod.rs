//! `svc org`.

mod create;
mod edit;
mod leave;
mod list;
mod view;

use clap::Subcommand;
use svc_api::identity::Organization;

use crate::failure::Failure;
use crate::output::{Column, Table, name, yes};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    View(view::Args),
    Create(create::Args),
    Edit(edit::Args),
    Leave(leave::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Leave(args) => leave::run(args, session).await,
    }
}

/// The organization that a command names, else the one that is set.
async fn named(slug: Option<String>, session: &Session<'_>) -> Result<String, Failure> {
    match slug {
        Some(slug) => Ok(slug),
        None => session.org_slug().await,
    }
}

/// Organizations, one a row.
fn table(orgs: &[Organization]) -> Table {
    let mut table = Table::new([
        Column::fixed("SLUG"),
        Column::fixed("ROLE"),
        Column::fixed("AI WORK"),
        Column::fixed("READ-ONLY"),
        Column::flexible("NAME"),
    ]);
    for org in orgs {
        table.row([
            org.slug.as_str().into(),
            name(&org.role).into(),
            yes(org.can_operate_factory).into(),
            yes(org.read_only).into(),
            org.name.as_str().into(),
        ]);
    }
    table
}

//! `svc member`: the people of the organization.

mod edit;
mod list;
mod remove;

use clap::Subcommand;
use svc_api::identity::Member;

use crate::failure::Failure;
use crate::output::{Column, Table, name, yes};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    Edit(edit::Args),
    Remove(remove::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Remove(args) => remove::run(args, session).await,
    }
}

/// Members of the organization, one a row.
fn table(members: &[Member]) -> Table {
    let mut table = Table::new([
        Column::fixed("ROLE"),
        Column::fixed("AI WORK"),
        Column::flexible("EMAIL"),
        Column::flexible("NAME"),
    ]);
    for member in members {
        table.row([
            name(&member.role).into(),
            yes(member.can_start_ai_work).into(),
            member.email.as_str().into(),
            member.display_name.as_str().into(),
        ]);
    }
    table
}

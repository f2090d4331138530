//! `svc project member`.

mod add;
mod list;
mod remove;

use std::collections::HashMap;

use clap::Subcommand;
use svc_api::identity::{Member, ProjectMember};

use crate::failure::Failure;
use crate::output::{Column, Table, name, option};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    Add(add::Args),
    Remove(remove::Args),
}

pub(super) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Add(args) => add::run(args, session).await,
        Command::Remove(args) => remove::run(args, session).await,
    }
}

/// Members of a project, one a row, with the addresses that the organization knows.
fn table(members: &[ProjectMember], known: &[Member]) -> Table {
    let addresses: HashMap<_, _> = known.iter().map(|member| (&member.user_id, &member.email)).collect();
    let mut table = Table::new([Column::fixed("ROLE"), Column::flexible("EMAIL"), Column::flexible("NAME")]);
    for member in members {
        let address = addresses.get(&member.user_id).map(|address| address.as_str());
        table.row([name(&member.role).into(), option(address).into(), member.display_name.as_str().into()]);
    }
    table
}

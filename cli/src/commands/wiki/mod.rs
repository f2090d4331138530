//! `svc wiki`.

mod get;
mod move_to;
mod put;
mod tree;

use clap::Subcommand;
use svc_api::wiki::WikiPage;

use crate::failure::Failure;
use crate::output::{Column, Table};
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    Tree(tree::Args),
    Get(get::Args),
    Put(put::Args),
    Move(move_to::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::Tree(args) => tree::run(args, session).await,
        Command::Get(args) => get::run(args, session).await,
        Command::Put(args) => put::run(args, session).await,
        Command::Move(args) => move_to::run(args, session).await,
    }
}

/// A page that was written.
fn table(page: &WikiPage) -> Table {
    let mut table = Table::new([Column::fixed("VERSION"), Column::flexible("PATH")]);
    table.row([page.version.to_string().into(), page.path.as_str().into()]);
    table
}

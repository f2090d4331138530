//! `svc member`: the people of the organization.

mod edit;
mod list;
mod remove;
mod shared;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    Edit(edit::Args),
    #[command(visible_alias = "delete")]
    Remove(remove::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Remove(args) => remove::run(args, session).await,
    }
}

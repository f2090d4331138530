//! `svc project member`.

mod add;
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
    Add(add::Args),
    Edit(edit::Args),
    #[command(visible_alias = "delete")]
    Remove(remove::Args),
}

pub(super) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Add(args) => add::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Remove(args) => remove::run(args, session).await,
    }
}

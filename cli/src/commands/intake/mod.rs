//! `svc intake`: addresses of a project at which monitoring and forms make items.

mod create;
mod delete;
mod edit;
mod list;
mod rotate;
mod shared;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    #[command(visible_alias = "add")]
    Create(create::Args),
    Edit(edit::Args),
    Rotate(rotate::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Rotate(args) => rotate::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
    }
}

//! `svc team`.

mod archive;
mod create;
mod delete;
mod edit;
mod list;
mod shared;
mod unarchive;
mod view;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    View(view::Args),
    #[command(visible_alias = "add")]
    Create(create::Args),
    Edit(edit::Args),
    Archive(archive::Args),
    Unarchive(unarchive::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Archive(args) => archive::run(args, session).await,
        Command::Unarchive(args) => unarchive::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
    }
}

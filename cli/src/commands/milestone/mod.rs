//! `svc milestone`.

mod close;
mod create;
mod delete;
mod edit;
mod list;
mod reopen;
mod shared;
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
    Close(close::Args),
    Reopen(reopen::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Close(args) => close::run(args, session).await,
        Command::Reopen(args) => reopen::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
    }
}

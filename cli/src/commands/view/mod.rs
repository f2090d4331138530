//! `svc view`: saved views.

mod create;
mod delete;
mod edit;
mod list;
mod shared;
mod show;

pub(super) use shared::find;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    #[command(name = "view", visible_alias = "show")]
    Show(show::Args),
    #[command(visible_alias = "add")]
    Create(create::Args),
    Edit(edit::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Show(args) => show::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
    }
}

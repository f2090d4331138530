//! `svc agent`.

mod create;
mod delete;
mod disable;
mod edit;
mod enable;
mod list;
mod shared;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

pub(super) use shared::find;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    #[command(visible_alias = "add")]
    Create(create::Args),
    #[command(visible_alias = "update")]
    Edit(edit::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
    Restore(delete::RestoreArgs),
    Disable(disable::Args),
    Enable(enable::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
        Command::Restore(args) => delete::restore(args, session).await,
        Command::Disable(args) => disable::run(args, session).await,
        Command::Enable(args) => enable::run(args, session).await,
    }
}

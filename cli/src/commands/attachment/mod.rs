//! `svc attachment`.

mod add;
mod delete;
mod get;
mod list;
mod shared;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    #[command(visible_aliases = ["view", "download"])]
    Get(get::Args),
    #[command(visible_aliases = ["create", "upload"])]
    Add(add::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Get(args) => get::run(args, session).await,
        Command::Add(args) => add::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
    }
}

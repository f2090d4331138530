//! `svc token`: the caller's access tokens.

mod create;
mod list;
mod revoke;
mod shared;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    #[command(visible_alias = "add")]
    Create(create::Args),
    #[command(visible_aliases = ["delete", "remove"])]
    Revoke(revoke::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Revoke(args) => revoke::run(args, session).await,
    }
}

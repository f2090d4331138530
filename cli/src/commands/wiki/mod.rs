//! `svc wiki`.

mod get;
mod put;
mod tree;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    Tree(tree::Args),
    Get(get::Args),
    Put(put::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::Tree(args) => tree::run(args, session).await,
        Command::Get(args) => get::run(args, session).await,
        Command::Put(args) => put::run(args, session).await,
    }
}

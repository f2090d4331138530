//! `svc workflow` (specification section 3.6).

mod edit;
mod shared;
mod view;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    View(view::Args),
    Edit(edit::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::View(args) => view::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
    }
}

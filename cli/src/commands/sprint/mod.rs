//! `svc sprint`.

mod complete;
mod create;
mod delete;
mod edit;
mod list;
mod shared;
mod start;
mod view;
mod which;

pub(super) use which::{find, patch};

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
    Start(start::Args),
    Complete(complete::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Start(args) => start::run(args, session).await,
        Command::Complete(args) => complete::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
    }
}

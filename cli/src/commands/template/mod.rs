//! `svc template`: item templates (specification section 2.4).

mod create;
mod delete;
mod edit;
mod list;
mod shared;
mod view;

pub(super) use shared::find;

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
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
    }
}

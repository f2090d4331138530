//! `svc project`.

mod archive;
mod choose;
mod create;
mod delete;
mod edit;
mod export;
mod list;
mod markdown;
mod member;
mod shared;
mod stats;
mod unarchive;
mod view;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    View(view::Args),
    Stats(stats::Args),
    #[command(visible_alias = "add")]
    Create(create::Args),
    Edit(edit::Args),
    Export(export::Args),
    Use(choose::Args),
    Archive(archive::Args),
    Unarchive(unarchive::Args),
    Delete(delete::Args),
    Restore(delete::RestoreArgs),
    /// Manage the members of a project
    #[command(subcommand)]
    Member(member::Command),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Stats(args) => stats::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Export(args) => export::run(args, session).await,
        Command::Use(args) => choose::run(args, session).await,
        Command::Archive(args) => archive::run(args, session).await,
        Command::Unarchive(args) => unarchive::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
        Command::Restore(args) => delete::restore(args, session).await,
        Command::Member(command) => member::run(command, session).await,
    }
}

//! `svc wiki`.

mod access;
mod delete;
mod deleted;
mod diff;
mod edit;
mod get;
mod move_to;
mod put;
mod restore;
mod shared;
mod tree;
mod undelete;
mod versions;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    #[command(visible_alias = "list")]
    Tree(tree::Args),
    #[command(visible_alias = "view")]
    Get(get::Args),
    #[command(visible_alias = "create")]
    Put(put::Args),
    Edit(edit::Args),
    Move(move_to::Args),
    #[command(visible_alias = "history")]
    Versions(versions::Args),
    Diff(diff::Args),
    Restore(restore::Args),
    Access(access::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
    Deleted(deleted::Args),
    Undelete(undelete::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::Tree(args) => tree::run(args, session).await,
        Command::Get(args) => get::run(args, session).await,
        Command::Put(args) => put::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Move(args) => move_to::run(args, session).await,
        Command::Versions(args) => versions::run(args, session).await,
        Command::Diff(args) => diff::run(args, session).await,
        Command::Restore(args) => restore::run(args, session).await,
        Command::Access(args) => access::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
        Command::Deleted(args) => deleted::run(args, session).await,
        Command::Undelete(args) => undelete::run(args, session).await,
    }
}

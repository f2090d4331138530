//! `svc org`.

mod audit;
mod channel;
mod choose;
mod create;
mod delete;
mod edit;
mod group;
mod leave;
mod list;
mod scim;
mod shared;
mod view;

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
    Use(choose::Args),
    /// Manage the chats that are told of what happens in the organization
    Channel(channel::Args),
    /// Manage the roles that groups of an identity provider give
    Group(group::Args),
    /// Manage the tokens with which an identity provider writes people and groups (SCIM)
    Scim(scim::Args),
    Audit(audit::Args),
    Leave(leave::Args),
    Delete(delete::Args),
    Restore(delete::RestoreArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Use(args) => choose::run(args, session).await,
        Command::Channel(args) => channel::run(args, session).await,
        Command::Group(args) => group::run(args, session).await,
        Command::Scim(args) => scim::run(args, session).await,
        Command::Audit(args) => audit::run(args, session).await,
        Command::Leave(args) => leave::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
        Command::Restore(args) => delete::restore(args, session).await,
    }
}

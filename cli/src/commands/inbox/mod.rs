//! `svc inbox`: what is new for you.

mod channel;
mod digest;
mod list;
mod mark;
mod mute;
mod open;
pub(super) mod preferences;
mod shared;

use clap::Subcommand;

use super::item::watch;
use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    /// Mark entries as read
    #[command(after_help = "\
Examples:
  svc inbox read PRJ-12 PRJ-15
  svc inbox read --all")]
    Read(mark::Args),
    /// Mark entries as done, so that they leave the inbox until there is news
    #[command(after_help = "\
Examples:
  svc inbox done PRJ-12
  svc inbox done --all")]
    Done(mark::Args),
    Open(open::Args),
    Preferences(preferences::Args),
    Digest(digest::Args),
    /// Manage the chats that tell you
    Channel(channel::Args),
    Mute(mute::Args),
    Unmute(mute::UnmuteArgs),
    /// Watch an item: you are told of what happens to it
    #[command(after_help = "\
Example:
  svc inbox watch PRJ-12")]
    Watch(watch::Args),
    /// Stop watching an item
    #[command(after_help = "\
Example:
  svc inbox unwatch PRJ-12")]
    Unwatch(watch::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Read(args) => mark::run(args, mark::As::Read, session).await,
        Command::Done(args) => mark::run(args, mark::As::Done, session).await,
        Command::Open(args) => open::run(args, session).await,
        Command::Preferences(args) => preferences::run(args, session).await,
        Command::Digest(args) => digest::run(args, session).await,
        Command::Channel(args) => channel::run(args, session).await,
        Command::Mute(args) => mute::run(args, session).await,
        Command::Unmute(args) => mute::unmute(args, session).await,
        Command::Watch(args) => watch::set(args, true, session).await,
        Command::Unwatch(args) => watch::set(args, false, session).await,
    }
}

//! `svc item`.

mod branch;
mod bulk;
mod change;
mod claim;
mod close;
mod comment;
mod comment_id;
mod comments;
mod create;
mod delete;
mod each;
mod edit;
mod fields;
mod heartbeat;
mod history;
mod labels;
mod link;
mod links;
mod links_of;
mod list;
mod mentions;
mod move_to;
mod names;
mod naming;
mod release;
mod repeated;
mod shared;
mod subtask;
mod subtasks;
mod terms;
mod through;
mod transfer;
mod unlink;
mod unmatched;
mod update;
mod view;
pub(super) mod watch;

pub(super) use comment::{Args as CommentArgs, Text, run as comment_on, show_written};
pub(super) use comment_id::comment_id;
pub(super) use comments::{read_comments, show_comments};
pub(super) use naming::with_ids;
pub(super) use unmatched::{check_saved, warn_of};

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    View(view::Args),
    #[command(visible_alias = "add")]
    Create(Box<create::Args>),
    Update(update::Args),
    Edit(edit::Args),
    Move(move_to::Args),
    Transfer(transfer::Args),
    Close(close::Args),
    Reopen(close::ReopenArgs),
    Claim(claim::Args),
    Release(release::Args),
    Heartbeat(heartbeat::Args),
    Comment(comment::Args),
    Mentions(mentions::Args),
    Subtask(subtask::Args),
    Link(link::Args),
    Unlink(unlink::Args),
    Links(links_of::Args),
    Branch(branch::Args),
    Subtasks(subtasks::Args),
    History(history::Args),
    Bulk(bulk::Args),
    Delete(delete::Args),
    Restore(delete::RestoreArgs),
    Deleted(delete::ListArgs),
    /// Watch an item
    #[command(after_help = "Example:\n  svc item watch PRJ-12")]
    Watch(watch::Args),
    /// Stop watching an item
    #[command(after_help = "Example:\n  svc item unwatch PRJ-12")]
    Unwatch(watch::Args),
    /// List who watches an item
    #[command(after_help = "Example:\n  svc item watchers PRJ-12")]
    Watchers(watch::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Create(args) => create::run(*args, session).await,
        Command::Update(args) => update::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Move(args) => move_to::run(args, session).await,
        Command::Transfer(args) => transfer::run(args, session).await,
        Command::Close(args) => close::run(args, session).await,
        Command::Reopen(args) => close::reopen(args, session).await,
        Command::Claim(args) => claim::run(args, session).await,
        Command::Release(args) => release::run(args, session).await,
        Command::Heartbeat(args) => heartbeat::run(args, session).await,
        Command::Comment(args) => comment::run(args, session).await,
        Command::Mentions(args) => mentions::run(args, session).await,
        Command::Subtask(args) => subtask::run(args, session).await,
        Command::Link(args) => link::run(args, session).await,
        Command::Unlink(args) => unlink::run(args, session).await,
        Command::Links(args) => links_of::run(args, session).await,
        Command::Branch(args) => branch::run(args, session).await,
        Command::Subtasks(args) => subtasks::run(args, session).await,
        Command::History(args) => history::run(args, session).await,
        Command::Bulk(args) => bulk::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
        Command::Restore(args) => delete::restore(args, session).await,
        Command::Deleted(args) => delete::list(args, session).await,
        Command::Watch(args) => watch::set(args, true, session).await,
        Command::Unwatch(args) => watch::set(args, false, session).await,
        Command::Watchers(args) => watch::list(args, session).await,
    }
}

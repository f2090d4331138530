//! `svc item`.

mod branch;
mod claim;
mod comment;
mod create;
mod heartbeat;
mod labels;
mod link;
mod list;
mod move_to;
mod release;
mod subtask;
mod update;
mod view;

use clap::Subcommand;
use svc_api::tracker::Item;

use crate::failure::Failure;
use crate::output::item_table;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    View(view::Args),
    Create(create::Args),
    Update(update::Args),
    Move(move_to::Args),
    Claim(claim::Args),
    Release(release::Args),
    Heartbeat(heartbeat::Args),
    Comment(comment::Args),
    Subtask(subtask::Args),
    Link(link::Args),
    Branch(branch::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Update(args) => update::run(args, session).await,
        Command::Move(args) => move_to::run(args, session).await,
        Command::Claim(args) => claim::run(args, session).await,
        Command::Release(args) => release::run(args, session).await,
        Command::Heartbeat(args) => heartbeat::run(args, session).await,
        Command::Comment(args) => comment::run(args, session).await,
        Command::Subtask(args) => subtask::run(args, session).await,
        Command::Link(args) => link::run(args, session).await,
        Command::Branch(args) => branch::run(args, session).await,
    }
}

/// Prints an item as a change left it.
fn show(item: &Item, session: &Session<'_>) -> Result<(), Failure> {
    if session.output.json { session.output.json(item) } else { session.output.table(&item_table([item])) }
}

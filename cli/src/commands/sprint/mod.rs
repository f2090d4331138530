//! `svc sprint`.

mod list;
mod view;

use clap::Subcommand;
use svc_api::tracker::Work;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    View(view::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
    }
}

/// What is left to do, of what was estimated.
fn left(work: Work) -> String {
    format!("{} of {}", work.remaining, work.estimate)
}

/// How many items are unfinished, of all.
fn open(work: Work) -> String {
    format!("{} of {}", work.unfinished, work.items)
}

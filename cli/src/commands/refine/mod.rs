//! `svc refine`.

mod answer;
mod changes;
mod confirm;
mod shared;
mod start;
mod submit;
mod view;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    Start(start::Args),
    View(view::Args),
    Answer(answer::Args),
    Changes(changes::Args),
    Confirm(confirm::Args),
    Submit(submit::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::Start(args) => start::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Answer(args) => answer::run(args, session).await,
        Command::Changes(args) => changes::run(args, session).await,
        Command::Confirm(args) => confirm::run(args, session).await,
        Command::Submit(args) => submit::run(args, session).await,
    }
}

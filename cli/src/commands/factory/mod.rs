//! `svc factory`.

mod budget;
mod refinement;
mod settings;
mod stats;
mod webhook;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    Settings(settings::Args),
    Budget(budget::Args),
    Refinement(refinement::Args),
    Stats(stats::Args),
    Webhook(webhook::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::Settings(args) => settings::run(args, session).await,
        Command::Budget(args) => budget::run(args, session).await,
        Command::Refinement(args) => refinement::run(args, session).await,
        Command::Stats(args) => stats::run(args, session).await,
        Command::Webhook(args) => webhook::run(args, session).await,
    }
}

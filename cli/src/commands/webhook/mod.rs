//! `svc webhook`.

mod create;
mod delete;
mod deliveries;
mod edit;
mod list;
mod replay;
mod rotate;
mod shared;
mod test;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    #[command(visible_alias = "add")]
    Create(create::Args),
    Edit(edit::Args),
    Rotate(rotate::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
    #[command(visible_alias = "ping")]
    Test(test::Args),
    Deliveries(deliveries::Args),
    Replay(replay::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Rotate(args) => rotate::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
        Command::Test(args) => test::run(args, session).await,
        Command::Deliveries(args) => deliveries::run(args, session).await,
        Command::Replay(args) => replay::run(args, session).await,
    }
}

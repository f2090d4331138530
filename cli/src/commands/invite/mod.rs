//! `svc invite`.

mod create;
mod list;
mod resend;
mod revoke;
mod shared;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    #[command(visible_alias = "add")]
    Create(create::Args),
    List(list::Args),
    Resend(resend::Args),
    #[command(visible_aliases = ["delete", "remove"])]
    Revoke(revoke::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::Create(args) => create::run(args, session).await,
        Command::List(args) => list::run(args, session).await,
        Command::Resend(args) => resend::run(args, session).await,
        Command::Revoke(args) => revoke::run(args, session).await,
    }
}

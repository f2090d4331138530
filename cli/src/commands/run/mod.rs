//! `svc run`.

mod artifacts;
mod cancel;
mod diff;
mod fail;
mod go_on;
mod list;
mod logs;
mod retry;
mod start;
mod view;
mod which;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    #[command(visible_alias = "create")]
    Start(start::Args),
    List(list::Args),
    View(view::Args),
    Logs(logs::Args),
    Diff(diff::Args),
    Artifacts(artifacts::Args),
    Cancel(cancel::Args),
    #[command(name = "continue")]
    GoOn(go_on::Args),
    Retry(retry::Args),
    Fail(fail::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::Start(args) => start::run(args, session).await,
        Command::List(args) => list::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Logs(args) => logs::run(args, session).await,
        Command::Diff(args) => diff::run(args, session).await,
        Command::Artifacts(args) => artifacts::run(args, session).await,
        Command::Cancel(args) => cancel::run(args, session).await,
        Command::GoOn(args) => go_on::run(args, session).await,
        Command::Retry(args) => retry::run(args, session).await,
        Command::Fail(args) => fail::run(&args),
    }
}

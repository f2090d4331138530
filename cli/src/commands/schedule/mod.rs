//! `svc schedule`.

mod create;
mod delete;
mod edit;
mod firings;
mod list;
mod pause;
mod playbooks;
mod preview;
mod resume;
mod run;
mod shared;
mod view;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    #[command(visible_alias = "add")]
    Create(create::Args),
    View(view::Args),
    Edit(edit::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
    Run(run::Args),
    Pause(pause::Args),
    Resume(resume::Args),
    Firings(firings::Args),
    Preview(preview::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Create(args) => create::run(args, session).await,
        Command::View(args) => view::run(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
        Command::Run(args) => run::run(args, session).await,
        Command::Pause(args) => pause::run(args, session).await,
        Command::Resume(args) => resume::run(args, session).await,
        Command::Firings(args) => firings::run(args, session).await,
        Command::Preview(args) => preview::run(args, session).await,
    }
}

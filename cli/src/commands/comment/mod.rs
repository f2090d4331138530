//! `svc comment`: what was said on an item. `svc item comment` is the same as `svc comment create`.

mod delete;
mod edit;
mod history;
mod list;
mod react;
mod which;

use clap::Subcommand;

use crate::commands::item::{CommentArgs, comment_on};
use crate::failure::Failure;
use crate::session::Session;

#[derive(Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    #[command(visible_alias = "add")]
    Create(CommentArgs),
    Edit(edit::Args),
    History(history::Args),
    React(react::Args),
    #[command(visible_alias = "remove")]
    Delete(delete::Args),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(args, session).await,
        Command::Create(args) => comment_on(args, session).await,
        Command::Edit(args) => edit::run(args, session).await,
        Command::History(args) => history::run(args, session).await,
        Command::React(args) => react::run(args, session).await,
        Command::Delete(args) => delete::run(args, session).await,
    }
}

//! `svc runner`: the commands for this machine come from the runner; those for the organization's list of runners
//! are here.

mod create;
mod delete;
mod disable;
mod edit;
mod enable;
mod list;
mod mapping;
mod rotate;
mod shared;

use clap::Subcommand;
use svc_runner::cli::RunnerCommand;

use crate::failure::Failure;
use crate::session::Session;

pub(crate) use mapping::check_project;

#[derive(Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Machine(RunnerCommand),
    #[command(flatten)]
    Organization(Organization),
}

/// Commands that an Admin of the organization gives.
#[derive(Subcommand)]
pub(crate) enum Organization {
    List(list::Args),
    #[command(visible_alias = "add")]
    Create(create::Args),
    Edit(edit::Args),
    Rotate(rotate::Args),
    Disable(disable::Args),
    Enable(enable::Args),
    Delete(delete::Args),
}

pub(crate) async fn run(command: Organization, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Organization::List(args) => list::run(args, session).await,
        Organization::Create(args) => create::run(args, session).await,
        Organization::Edit(args) => edit::run(args, session).await,
        Organization::Rotate(args) => rotate::run(args, session).await,
        Organization::Disable(args) => disable::run(args, session).await,
        Organization::Enable(args) => enable::run(args, session).await,
        Organization::Delete(args) => delete::run(args, session).await,
    }
}

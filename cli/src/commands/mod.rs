//! The commands: one folder a noun, one file a verb. Each says what it takes (`Args`) and does it (`run`).

pub(crate) mod attachment;
pub(crate) mod auth;
pub(crate) mod comment;
pub(crate) mod completions;
pub(crate) mod invite;
pub(crate) mod item;
pub(crate) mod label;
pub(crate) mod man;
pub(crate) mod member;
pub(crate) mod org;
pub(crate) mod project;
pub(crate) mod run;
pub(crate) mod search;
pub(crate) mod sprint;
pub(crate) mod team;
pub(crate) mod template;
pub(crate) mod token;
pub(crate) mod wiki;
pub(crate) mod workflow;

mod confirm;
mod files;
mod named;
mod paging;
mod people;

use std::process::ExitCode;

use tokio::runtime::{Builder, Runtime};

use crate::args::{Cli, Command};
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;
use crate::settings::Settings;

/// Does what the command line says.
pub(crate) fn run(cli: Cli, output: &Output) -> Result<ExitCode, Failure> {
    let Cli { globals, command } = cli;
    let open = || Session::open(&Settings::load(&globals)?, output);
    match command {
        Command::Auth(command) => one_thread()?.block_on(auth::run(command, &globals, output))?,
        Command::Org(command) => one_thread()?.block_on(org::run(command, &open()?))?,
        Command::Member(command) => one_thread()?.block_on(member::run(command, &open()?))?,
        Command::Invite(command) => one_thread()?.block_on(invite::run(command, &open()?))?,
        Command::Token(command) => one_thread()?.block_on(token::run(command, &open()?))?,
        Command::Workflow(command) => one_thread()?.block_on(workflow::run(command, &open()?))?,
        Command::Label(command) => one_thread()?.block_on(label::run(command, &open()?))?,
        Command::Template(command) => one_thread()?.block_on(template::run(command, &open()?))?,
        Command::Team(command) => one_thread()?.block_on(team::run(command, &open()?))?,
        Command::Project(command) => one_thread()?.block_on(project::run(command, &open()?))?,
        Command::Item(command) => one_thread()?.block_on(item::run(command, &open()?))?,
        Command::Comment(command) => one_thread()?.block_on(comment::run(command, &open()?))?,
        Command::Run(command) => one_thread()?.block_on(run::run(command, &open()?))?,
        Command::Attachment(command) => one_thread()?.block_on(attachment::run(command, &open()?))?,
        Command::Sprint(command) => one_thread()?.block_on(sprint::run(command, &open()?))?,
        Command::Wiki(command) => one_thread()?.block_on(wiki::run(command, &open()?))?,
        Command::Search(args) => one_thread()?.block_on(search::run(args, &open()?))?,
        Command::Runner(command) => return Ok(svc_runner::cli::run(command)),
        Command::Completions(args) => completions::run(args, output)?,
        Command::Man(args) => man::run(&args, output)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A command makes one request after the other.
fn one_thread() -> Result<Runtime, Failure> {
    Builder::new_current_thread().enable_all().build().map_err(no_runtime)
}

fn no_runtime(error: std::io::Error) -> Failure {
    Failure::io("cannot start", &error)
}

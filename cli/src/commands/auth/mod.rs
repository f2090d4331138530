//! `svc auth`: the credentials of this machine's user.

mod choosing;
mod join;
mod list;
mod login;
mod logout;
mod password;
mod revoking;
mod setup;
mod status;
mod switch;

use clap::Subcommand;

use crate::failure::Failure;
use crate::globals::Globals;
use crate::output::Output;
use crate::settings::Settings;

#[derive(Subcommand)]
pub(crate) enum Command {
    Login(login::Args),
    Status(status::Args),
    List(list::Args),
    Switch(switch::Args),
    Logout(logout::Args),
    Setup(setup::Args),
    Join(join::Args),
}

pub(crate) async fn run(command: Command, globals: &Globals, output: &Output) -> Result<(), Failure> {
    let settings = Settings::load(globals)?;
    match command {
        Command::Login(args) => login::run(args, &settings, output).await,
        Command::Status(args) => status::run(args, &settings, output).await,
        Command::List(args) => list::run(args, &settings, output),
        Command::Switch(args) => switch::run(args, &settings, output),
        Command::Logout(args) => logout::run(args, &settings, output).await,
        Command::Setup(args) => setup::run(args, &settings, output).await,
        Command::Join(args) => join::run(args, &settings, output).await,
    }
}

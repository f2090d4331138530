//! `svc auth`: the credential of this machine's user.

mod join;
mod login;
mod logout;
mod password;
mod setup;
mod status;

use clap::Subcommand;

use crate::args::Globals;
use crate::failure::Failure;
use crate::output::Output;
use crate::settings::Settings;

#[derive(Subcommand)]
pub(crate) enum Command {
    Login(login::Args),
    Status(status::Args),
    Logout(logout::Args),
    Setup(setup::Args),
    Join(join::Args),
}

pub(crate) async fn run(command: Command, globals: &Globals, output: &Output) -> Result<(), Failure> {
    let settings = Settings::load(globals)?;
    match command {
        Command::Login(args) => login::run(args, &settings, output).await,
        Command::Status(args) => status::run(args, &settings, output).await,
        Command::Logout(args) => logout::run(args, &settings, output),
        Command::Setup(args) => setup::run(args, &settings, output).await,
        Command::Join(args) => join::run(args, &settings, output).await,
    }
}

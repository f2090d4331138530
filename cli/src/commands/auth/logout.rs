//! `svc auth logout`.

use crate::failure::Failure;
use crate::output::Output;
use crate::settings::{Config, ConfigFile, Settings};

/// Remove the stored access token.
///
/// The token itself stays valid until it expires or is revoked in the web app.
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(super) fn run(Args {}: Args, settings: &Settings, output: &Output) -> Result<(), Failure> {
    settings.refuse_in_run()?;
    let file = ConfigFile::locate()?;
    let config = file.read()?;
    if config.token.is_some() {
        file.write(&Config { token: None, ..config })?;
        output.say(&format!("The token was removed from {}.", file.path().display()));
    } else {
        output.say("No token was stored.");
    }
    if let Some(name) = settings.token_variable() {
        output.say(&format!("{name} is still set and will be used."));
    }
    Ok(())
}

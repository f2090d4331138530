//! `svc auth switch`.

use super::choosing::{choose, line};
use crate::failure::Failure;
use crate::output::Output;
use crate::settings::{ConfigFile, Settings};

/// Switch to another account that you are signed in with.
///
/// With two accounts it switches to the other one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc auth switch
  svc auth switch ada@example.org
  svc auth switch tracker.example")]
pub(crate) struct Args {
    /// Address of the account, or of its instance
    #[arg(value_name = "ACCOUNT")]
    account: Option<String>,
}

pub(super) fn run(args: Args, settings: &Settings, output: &Output) -> Result<(), Failure> {
    settings.refuse_in_run()?;
    let file = ConfigFile::locate()?;
    let config = file.read()?;
    let others: Vec<_> = config.signed_in().filter(|account| **account != config.current).cloned().collect();
    let account = match (&args.account, settings.url_flag(), others.as_slice()) {
        (None, None, [other]) => other.clone(),
        (wanted, url, _) => choose(&config, wanted.as_deref(), url, output)?,
    };
    output.say(&format!("Switched to {}.", line(&account)));
    file.update(|config| config.use_account(account))
}

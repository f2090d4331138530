//! `svc auth list`.

use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Output, Table, option};
use crate::settings::{Account, ConfigFile, Settings};

/// List the accounts that are signed in on this machine.
///
/// It does not check whether the tokens still work; `svc auth status` does.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  svc auth list")]
pub(crate) struct Args {}

/// An account as it is shown: never with its token.
#[derive(Serialize)]
struct Listed {
    url: String,
    account: Option<String>,
    org: Option<String>,
    project: Option<String>,
    current: bool,
}

pub(super) fn run(Args {}: Args, settings: &Settings, output: &Output) -> Result<(), Failure> {
    settings.refuse_in_run()?;
    let config = ConfigFile::locate()?.read()?;
    let listed = |account: &Account| Listed {
        url: account.place().to_owned(),
        account: account.account.clone(),
        org: account.org.clone(),
        project: account.project.clone(),
        current: *account == config.current,
    };
    let accounts: Vec<_> = config.signed_in().map(listed).collect();
    output.all(
        &accounts,
        "No account is signed in. Sign in with `svc auth login --url <URL> --email <EMAIL>`.",
        table,
    )
}

fn table(accounts: &[Listed]) -> Table {
    Table::of(accounts)
        .fixed("IN USE", |account| if account.current { "*" } else { "" })
        .fixed("ACCOUNT", |account| option(account.account.as_deref()))
        .flexible("ORG", |account| option(account.org.as_deref()))
        .flexible("PROJECT", |account| option(account.project.as_deref()))
        .flexible("INSTANCE", |account| account.url.as_str())
        .end()
}

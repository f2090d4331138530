//! `svc auth list`.

use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Column, Output, Table, option};
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
    let mut table = Table::new([
        Column::fixed("IN USE"),
        Column::fixed("ACCOUNT"),
        Column::flexible("ORG"),
        Column::flexible("PROJECT"),
        Column::flexible("INSTANCE"),
    ]);
    for account in accounts {
        table.row([
            if account.current { "*" } else { "" }.into(),
            option(account.account.as_deref()).into(),
            option(account.org.as_deref()).into(),
            option(account.project.as_deref()).into(),
            account.url.as_str().into(),
        ]);
    }
    table
}

//! `svc auth logout`.

use super::choosing::choose;
use super::revoking::{Revoked, revoke_own};
use crate::failure::Failure;
use crate::output::Output;
use crate::reading::read_by;
use crate::remembering::forget_texts;
use crate::session::connect;
use crate::settings::{Account, Config, ConfigFile, Settings};

/// Sign out: revoke the stored access token, and remove it from this machine.
///
/// It signs out the current account, or the one that you name.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc auth logout
  svc auth logout ada@example.org
  svc auth logout --url https://old.example --local")]
pub(crate) struct Args {
    /// Address of the account, or of its instance
    #[arg(value_name = "ACCOUNT")]
    account: Option<String>,
    /// Only remove the token from this machine; it works elsewhere until it expires or is revoked
    #[arg(long)]
    local: bool,
}

pub(super) async fn run(args: Args, settings: &Settings, output: &Output) -> Result<(), Failure> {
    settings.refuse_in_run()?;
    let file = ConfigFile::locate()?;
    let config = file.read()?;
    let account = match &args.account {
        Some(wanted) => choose(&config, Some(wanted), settings.url_flag(), output)?,
        None => settings.url.as_ref().map_or_else(|| config.current.clone(), |url| config.at(&url.value)),
    };
    match &account {
        Account { url: Some(url), token: Some(token), .. } => {
            if !args.local {
                revoke(url, token, settings, output).await?;
            }
            file.update(|config| forget(config, &account))?;
            forget_texts(&read_by(url, account.id.as_deref(), token));
            output
                .say(&format!("Signed out of {url}; the token was removed from {}.", file.path().display()));
        }
        _ => output.say("You are not signed in there: no token was stored."),
    }
    if let Some(name) = settings.token_variable() {
        output.say(&format!("{name} is still set and will be used."));
    }
    Ok(())
}

async fn revoke(url: &str, token: &str, settings: &Settings, output: &Output) -> Result<(), Failure> {
    const LOCALLY: &str = "try again, or remove it only from this machine with `svc auth logout --local`";
    let kept = |why: String| {
        Failure::unexpected("the token could not be revoked, so you are still signed in")
            .detail(why)
            .hint(LOCALLY)
    };
    match revoke_own(&connect(url, token, settings, output)?, false).await {
        Ok(Revoked::Now | Revoked::Before) => Ok(()),
        Ok(Revoked::Unknown) => Err(kept("the instance did not say which of your tokens this is".to_owned())),
        Err(error) => Err(kept(error.to_string())),
    }
}

/// Removes an account's token. The account in use keeps its organization and project.
fn forget(config: &mut Config, account: &Account) {
    if config.current == *account {
        config.current.token = None;
    } else {
        config.accounts.retain(|known| known != account);
    }
}

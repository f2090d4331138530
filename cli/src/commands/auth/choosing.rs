//! Finds the stored account that a person means.

use crate::failure::Failure;
use crate::output::{Output, one_line};
use crate::settings::{Account, Config, same_instance};

/// The signed-in account that `wanted` means: the address of the account, or of its instance, whole or in part;
/// with `url` of that instance only. Without a word a person at a terminal is asked.
///
/// # Errors
/// None matches (exit code 4); several match without a terminal to ask at (exit code 2).
pub(super) fn choose(
    config: &Config,
    wanted: Option<&str>,
    url: Option<&str>,
    output: &Output,
) -> Result<Account, Failure> {
    let here = |account: &&Account| url.is_none_or(|url| account.is_at(url));
    let all: Vec<&Account> = config.signed_in().filter(here).collect();
    let found = match wanted {
        Some(wanted) => matching(&all, wanted),
        None => all.clone(),
    };
    match found[..] {
        [] => Err(Failure::not_found(match wanted {
            Some(wanted) => format!("no account {wanted:?}"),
            None => "no account is signed in".to_owned(),
        })
        .hint(hint(&all))),
        [only] => Ok(only.clone()),
        _ if output.can_ask() => ask(&found, output),
        _ => Err(Failure::rejected("several accounts match")
            .detail(found.iter().map(|account| line(account)).collect::<Vec<_>>().join("\n  "))
            .hint("name the account by its address, and its instance with --url")),
    }
}

/// An account and its instance on one line.
pub(super) fn line(account: &Account) -> String {
    one_line(&format!("{} at {}", account.holder(), account.place()))
}

fn matching<'a>(all: &[&'a Account], wanted: &str) -> Vec<&'a Account> {
    let folded = wanted.to_lowercase();
    let exact = |account: &&&Account| {
        account.holder().to_lowercase() == folded || same_instance(account.place(), wanted)
    };
    let found: Vec<_> = all.iter().filter(exact).copied().collect();
    if !found.is_empty() {
        return found;
    }
    let part = |account: &&&Account| {
        account.holder().to_lowercase().contains(&folded) || account.place().to_lowercase().contains(&folded)
    };
    all.iter().filter(part).copied().collect()
}

fn hint(all: &[&Account]) -> String {
    if all.is_empty() {
        return "sign in with `svc auth login --url <URL> --email <EMAIL>`".to_owned();
    }
    format!("choose from: {}", all.iter().map(|account| line(account)).collect::<Vec<_>>().join(", "))
}

fn ask(found: &[&Account], output: &Output) -> Result<Account, Failure> {
    for (index, account) in found.iter().enumerate() {
        output.say(&format!("  {}  {}", index + 1, line(account)));
    }
    let answer = output.ask("Account (number): ")?;
    let chosen = answer.parse::<usize>().ok().and_then(|number| found.get(number.checked_sub(1)?));
    chosen
        .map(|account| (*account).clone())
        .ok_or_else(|| Failure::rejected(format!("{answer:?} is not one of these numbers")))
}

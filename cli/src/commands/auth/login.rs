//! `svc auth login`.

use std::collections::BTreeMap;

use svc_api::identity::{Login, Me};
use svc_client::{Client, Error};

use super::password::{self, Lifetime};
use super::revoking;
use crate::failure::Failure;
use crate::output::Output;
use crate::session::{connect, connect_for_password, required_url};
use crate::settings::{Account, Config, ConfigFile, Settings, Source};

/// The question to a person without a token.
const PROMPT: &str = "Access token, or Enter to sign in with your address and password: ";

/// Sign in to an instance, with your password or with an access token.
///
/// It asks for an access token, or reads it from stdin. With --email, or if you press Enter, it asks for your password
/// instead, and creates a token for this machine with the scopes read, write and admin. The token is stored in a file
/// that only you can read, and is only ever sent to this instance.
///
/// You can sign in to several instances and with several accounts. `svc auth list` lists them, `svc auth switch`
/// switches between them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc auth login --url https://tracker.example --email ada@example.org
  svc auth login --url https://tracker.example
  svc auth login --url https://tracker.example --org demo < token.txt")]
pub(crate) struct Args {
    /// Sign in with the password of this account
    #[arg(long, value_name = "EMAIL")]
    email: Option<String>,
    #[command(flatten)]
    lifetime: Lifetime,
}

pub(super) async fn run(args: Args, settings: &Settings, output: &Output) -> Result<(), Failure> {
    settings.refuse_in_run()?;
    let url = required_url(settings)?;
    let token = match args.email {
        Some(_) => None,
        None => read_token(settings, output)?,
    };
    let token = match token {
        Some(token) => token,
        None => with_password(url, args, settings, output).await?,
    };
    store(url, &token, settings, output).await
}

/// Makes a token with the address and the password of an account.
async fn with_password(
    url: &str,
    args: Args,
    settings: &Settings,
    output: &Output,
) -> Result<String, Failure> {
    let end = args.lifetime.end()?;
    let client = connect_for_password(url, settings, output)?;
    let email = match args.email {
        Some(email) => email,
        None => output.ask("Your e-mail address: ")?,
    };
    let password = password::ask(output)?;
    match client.login(&Login { email, password }).await {
        Ok(session) => password::token(&session, end, output).await,
        Err(error) => Err(unless_empty(error, &client).await),
    }
}

/// Checks a token, and keeps it with the address, and with the organization where one was named.
pub(super) async fn store(
    url: &str,
    token: &str,
    settings: &Settings,
    output: &Output,
) -> Result<(), Failure> {
    let client = connect(url, token, settings, output)?;
    let me = match client.me().await {
        Ok(me) => me,
        Err(error) => return Err(unless_empty(error, &client).await),
    };
    let org = settings.named_org().map(str::to_owned);
    if let Some(slug) = &org
        && !me.organizations.iter().any(|seen| seen.slug == *slug)
    {
        return Err(Failure::not_found(format!("no organization {slug:?} for this account"))
            .detail(format!("it belongs to: {}", slugs(&me)))
            .hint("nothing was saved; correct --org, or leave it out"));
    }
    // The only organization is the one to work in, also when another one comes later.
    let org = match &me.organizations[..] {
        [only] => Some(org.unwrap_or_else(|| only.slug.clone())),
        _ => org,
    };
    let file = ConfigFile::locate()?;
    let account = Account {
        url: Some(client.base_url().to_owned()),
        token: Some(token.to_owned()),
        org,
        project: None,
        projects: BTreeMap::new(),
        account: Some(me.email.clone().unwrap_or_else(|| me.display_name.clone())),
        id: Some(me.id.clone()),
    };
    let replaced = file.update(|config| keep(config, account))?;
    if let Some(old) = replaced.filter(|old| old != token) {
        // It was made by an earlier sign-in on this machine, and nothing holds it any more.
        let _ = revoking::revoke_own(&connect(client.base_url(), &old, settings, output)?, true).await;
    }
    if output.json {
        return output.json(&me);
    }
    output.say(&format!("Signed in to {} as {}.", client.base_url(), me.display_name));
    output.say(&format!("The token is in {}.", file.path().display()));
    if let Some(name) = settings.token_variable() {
        output.say(&format!("{name} is set and overrides it until you unset it."));
    }
    Ok(())
}

/// That the instance has no account yet; else why this sign-in failed.
async fn unless_empty(error: Error, client: &Client) -> Failure {
    let refused = error.status() == Some(401);
    if refused && client.setup_status().await.is_ok_and(|setup| setup.needed) {
        let url = client.base_url();
        return Failure::not_authenticated(format!("{url} has no account yet")).hint(format!(
            "create the first one with `svc auth setup --url {url} --email <EMAIL> --name <NAME> --org <SLUG> --org-name <NAME>`"
        ));
    }
    error.into()
}

/// Keeps a sign-in as the account in use, with what the same account worked in before. Answers the token that
/// it replaces.
fn keep(config: &mut Config, mut account: Account) -> Option<String> {
    let (place, holder) = (account.place().to_owned(), account.holder().to_owned());
    // An older file does not say whose token it holds: at the same instance, the new one takes its place.
    let same =
        |known: &Account| known.is(&place, &holder) || (known.account.is_none() && known.is_at(&place));
    let known = std::iter::once(&config.current).chain(&config.accounts).find(|known| same(known)).cloned();
    let mut replaced = None;
    if let Some(mut known) = known {
        replaced = known.token.take();
        account.org = account.org.or_else(|| known.org.clone());
        known.work_in(account.org.clone());
        account.project = known.project;
        account.projects = known.projects;
    }
    if same(&config.current) {
        config.current = Account::default();
    }
    config.accounts.retain(|known| !same(known));
    config.use_account(account);
    replaced
}

/// The token from `--token`, from the person at the terminal, or from stdin; none where the person has none yet.
fn read_token(settings: &Settings, output: &Output) -> Result<Option<String>, Failure> {
    let typed = settings.token.as_ref().filter(|token| matches!(token.source, Source::Flag(_)));
    let token = match typed {
        Some(token) => token.value.trim().to_owned(),
        None => output.secret(PROMPT)?,
    };
    if token.is_empty() && typed.is_none() && output.can_ask() {
        return Ok(None);
    }
    if token.is_empty() {
        return Err(Failure::rejected("no token was given").hint(
            "paste it when asked, or pipe it to stdin; with --email the password is asked for instead",
        ));
    }
    if token.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(
            Failure::rejected("the input is too long for a token").hint("give the token alone, on one line")
        );
    }
    Ok(Some(token))
}

fn slugs(me: &Me) -> String {
    let slugs: Vec<_> = me.organizations.iter().map(|org| org.slug.as_str()).collect();
    if slugs.is_empty() { "none".to_owned() } else { slugs.join(", ") }
}

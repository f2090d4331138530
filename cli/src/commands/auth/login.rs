//! `svc auth login`.

use svc_api::identity::{Login, Me};

use super::password;
use crate::failure::Failure;
use crate::output::Output;
use crate::session::{connect, connect_for_password, required_url};
use crate::settings::{Config, ConfigFile, Settings, Source};

/// Store an access token, and the address it belongs to, after checking that it works.
///
/// Create the token in the web app under Settings, Access tokens. It is asked for without being shown, or
/// read from stdin when piped, and kept in a file that only you can read. With --email the password is asked
/// for instead, and a token with the scopes read, write and admin is made.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc auth login --url https://tracker.example
  svc auth login --url https://tracker.example --org demo < token.txt
  svc auth login --url https://tracker.example --email ada@example.org")]
pub(crate) struct Args {
    /// Sign in with the password of this account
    #[arg(long, value_name = "EMAIL")]
    email: Option<String>,
}

pub(super) async fn run(args: Args, settings: &Settings, output: &Output) -> Result<(), Failure> {
    settings.refuse_in_run()?;
    let url = required_url(settings)?;
    let token = match args.email {
        Some(email) => with_password(email, url, settings, output).await?,
        None => read_token(settings, output)?,
    };
    store(url, &token, settings, output).await
}

async fn with_password(
    email: String,
    url: &str,
    settings: &Settings,
    output: &Output,
) -> Result<String, Failure> {
    let client = connect_for_password(url, settings, output)?;
    let password = password::ask(output)?;
    password::token(&client.login(&Login { email, password }).await?, output).await
}

/// Checks a token, and keeps it with the address, and with the organization where one was named.
pub(super) async fn store(
    url: &str,
    token: &str,
    settings: &Settings,
    output: &Output,
) -> Result<(), Failure> {
    let client = connect(url, token, settings, output)?;
    let me = client.me().await?;
    let org = settings.org.as_ref().filter(|org| org.source != Source::File).map(|org| org.value.clone());
    if let Some(slug) = &org
        && !me.organizations.iter().any(|seen| seen.slug == *slug)
    {
        return Err(Failure::not_found(format!("this token does not see the organization {slug}"))
            .detail(format!("it sees: {}", slugs(&me)))
            .hint("nothing was stored; correct --org, or leave it out"));
    }
    let file = ConfigFile::locate()?;
    let stored = file.read()?;
    let url = client.base_url().to_owned();
    // Another instance has other organizations.
    let org = org.or_else(|| stored.org.filter(|_| stored.url.as_deref() == Some(&url)));
    file.write(&Config { url: Some(url), token: Some(token.to_owned()), org, other: stored.other })?;
    if output.json {
        return output.json(&me);
    }
    output.say(&format!("Signed in to {} as {}.", client.base_url(), me.display_name));
    output.say(&format!("The token is in {}.", file.path().display()));
    if let Some(name) = settings.token_variable() {
        output.say(&format!("{name} is set and will be used instead, until you unset it."));
    }
    Ok(())
}

/// The token from `--token`, from the person at the terminal, or from stdin.
fn read_token(settings: &Settings, output: &Output) -> Result<String, Failure> {
    let typed = settings.token.as_ref().filter(|token| matches!(token.source, Source::Flag(_)));
    let token = match typed {
        Some(token) => token.value.trim().to_owned(),
        None => output.secret("Access token: ")?,
    };
    if token.is_empty() {
        return Err(Failure::rejected("there is no token").hint("paste it when asked, or pipe it to stdin"));
    }
    if token.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(Failure::rejected("this is more than a token").hint("give the token alone, on one line"));
    }
    Ok(token)
}

fn slugs(me: &Me) -> String {
    let slugs: Vec<_> = me.organizations.iter().map(|org| org.slug.as_str()).collect();
    if slugs.is_empty() { "none".to_owned() } else { slugs.join(", ") }
}

//! `svc auth login`.

use std::io::{IsTerminal as _, Read as _};

use svc_api::identity::Me;

use crate::failure::Failure;
use crate::output::Output;
use crate::session::{connect, required_url};
use crate::settings::{Config, ConfigFile, Settings, Source};

/// More than any token; what is piped in by mistake is not read to its end.
const LONGEST_INPUT: u64 = 16 * 1024;

/// Store an access token, and the address it belongs to, after checking that it works.
///
/// Create the token in the web app under Settings, Access tokens. It is asked for without being shown, or
/// read from stdin when piped, and kept in a file that only you can read.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc auth login --url https://tracker.example
  svc auth login --url https://tracker.example --org demo < token.txt")]
pub(crate) struct Args {}

pub(super) async fn run(Args {}: Args, settings: &Settings, output: &Output) -> Result<(), Failure> {
    settings.refuse_in_run()?;
    let url = required_url(settings)?;
    let token = read_token(settings, output)?;
    let client = connect(url, &token, settings, output)?;
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
    file.write(&Config { url: Some(url), token: Some(token), org, other: stored.other })?;
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
        Some(token) => token.value.clone(),
        None if std::io::stdin().is_terminal() => output.ask_secret("Access token: ")?,
        None => {
            let mut text = String::new();
            let read = std::io::stdin().lock().take(LONGEST_INPUT).read_to_string(&mut text);
            read.map_err(|error| Failure::io("cannot read the token from stdin", &error))?;
            text
        }
    };
    let token = token.trim().to_owned();
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

//! `svc token`: the caller's access tokens.

use clap::Subcommand;
use svc_api::identity::{NewToken, Scope, Token};

use crate::commands::confirm::Confirm;
use crate::commands::expiry::{Expiry, expiry};
use crate::commands::named::{Named, pick};
use crate::commands::new_name::NewName;
use crate::failure::Failure;
use crate::fresh;
use crate::output::{self, Table, joined, name, when, yes};
use crate::session::Session;
use crate::values::scope;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List your valid access tokens, oldest first.
    #[command(after_help = "\
Example:
  svc token list")]
    List,
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    #[command(visible_aliases = ["delete", "remove"])]
    Revoke(RevokeArgs),
}

pub(crate) async fn run(command: Command, session: &Session<'_>) -> Result<(), Failure> {
    match command {
        Command::List => list(session).await,
        Command::Create(args) => create(args, session).await,
        Command::Revoke(args) => revoke(args, session).await,
    }
}

async fn list(session: &Session<'_>) -> Result<(), Failure> {
    let tokens = session.client.tokens().await?;
    session.output.all(&tokens, "There are no tokens that you can see.", table)
}

/// Create an access token and print it. It is shown only this once.
///
/// You need a token with the scope admin. The new token cannot exceed its scopes, organization or expiry.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc token create nightly-report --scope read --expires 90d > token.txt
  svc token create editor --scope read,write,mcp --bound-to demo
  svc token create ci --scope read --scope write --expires 2027-01-31")]
pub(crate) struct CreateArgs {
    #[command(flatten)]
    name: NewName,
    /// Scopes of the token, separated by commas
    #[arg(long = "scope", required = true, value_delimiter = ',', value_parser = scope(), ignore_case = true)]
    scopes: Vec<Scope>,
    /// Slug of the organization to bind the token to; required for the scope mcp
    #[arg(long, value_name = "SLUG")]
    bound_to: Option<String>,
    /// When it expires: a day (UTC), a time, or a number of days or hours from now, such as 90d [default: when your
    /// own token expires]
    #[arg(long, value_name = "WHEN", value_parser = expiry)]
    expires: Option<Expiry>,
}

async fn create(args: CreateArgs, session: &Session<'_>) -> Result<(), Failure> {
    let expires_at = args.expires.map(|expiry| expiry.after(fresh::now())).transpose()?;
    let new = NewToken {
        name: args.name.into_text(),
        scopes: args.scopes,
        organization: args.bound_to,
        expires_at,
    };
    let tokens = session.client.tokens().await.unwrap_or_default();
    let namesakes = tokens.iter().filter(|token| token.name == new.name).count();
    let created = session.client.create_token(&new).await?;
    let output = session.output;
    if output.json {
        return output.json(&created);
    }
    output.line(&created.secret)?;
    let Token { name, id, scopes, expires_at, .. } = &created.token;
    let scopes: Vec<_> = scopes.iter().map(output::name).collect();
    let expires = expires_at.map_or_else(|| "never expires".to_owned(), |at| format!("expires {}", when(at)));
    output.say(&format!("created the token {name:?} ({id}): {}; {expires}", joined(&scopes)));
    output.say("It is shown only once. Revoke it with `svc token revoke`.");
    if namesakes > 0 {
        output.warn(&format!("you have other tokens named {name:?}; revoke this one by its id"));
    }
    Ok(())
}

/// Revoke a token. It stops working immediately.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc token revoke nightly-report
  svc token revoke 0193a6e5-... --yes")]
pub(crate) struct RevokeArgs {
    /// Name or id of the token
    #[arg(value_name = "TOKEN_NAME")]
    wanted: String,
    #[command(flatten)]
    confirm: Confirm,
}

async fn revoke(args: RevokeArgs, session: &Session<'_>) -> Result<(), Failure> {
    let tokens = session.client.tokens().await?;
    let Token { id, name, current, .. } =
        pick("token", &args.wanted, tokens, false, |token| Named { id: &token.id, name: &token.name })?;
    let own = match current {
        true => " You are signed in with it, so this signs you out.",
        false => "",
    };
    args.confirm.sure(&format!("Revoke the token {name:?} ({id})?{own}"), session.output)?;
    session.client.revoke_token(&id).await?;
    session.output.say(&format!("revoked {name:?} ({id})"));
    if !own.is_empty() {
        session.output.say("You are signed out; sign in again with `svc auth login`.");
    }
    Ok(())
}

/// Tokens, one a row.
fn table(tokens: &[Token]) -> Table {
    Table::of(tokens)
        .id("ID", |token| token.id.as_str())
        .flexible("SCOPES", |token| {
            let scopes: Vec<_> = token.scopes.iter().map(name).collect();
            joined(&scopes)
        })
        .flexible("BOUND TO", |token| token.organization.as_deref().unwrap_or("-"))
        .minor()
        .fixed("EXPIRES", |token| token.expires_at.map_or_else(|| "never".to_owned(), when))
        .fixed("LAST USED", |token| token.last_used_at.map_or_else(|| "-".to_owned(), when))
        .minor()
        .fixed("CURRENT", |token| yes(token.current))
        .flexible("NAME", |token| token.name.as_str())
        .end()
}

//! `svc token create`.

use svc_api::identity::{NewToken, Scope, Token};

use crate::commands::expiry::{Expiry, expiry};
use crate::commands::new_name::NewName;
use crate::failure::Failure;
use crate::fresh;
use crate::output::{self, list, when};
use crate::session::Session;
use crate::values::scope;

/// Create an access token and print it. It is shown only this once.
///
/// You need a token with the scope admin. The new token cannot exceed its scopes, organization or expiry.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc token create nightly-report --scope read --expires 90d > token.txt
  svc token create editor --scope read,write,mcp --bound-to demo
  svc token create ci --scope read --scope write --expires 2027-01-31")]
pub(crate) struct Args {
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

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
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
    output.say(&format!("created the token {name:?} ({id}): {}; {expires}", list(&scopes)));
    output.say("It is shown only once. Revoke it with `svc token revoke`.");
    if namesakes > 0 {
        output.warn(&format!("you have other tokens named {name:?}; revoke this one by its id"));
    }
    Ok(())
}

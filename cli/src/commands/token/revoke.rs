//! `svc token revoke`.

use crate::commands::confirm::Confirm;
use crate::commands::named::{Named, resolve};
use crate::failure::Failure;
use crate::session::Session;

/// Revoke a token. It stops working immediately.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  svc token revoke nightly-report
  svc token revoke 0193a6e5-... --yes")]
pub(crate) struct Args {
    /// Name or id of the token
    #[arg(value_name = "TOKEN_NAME")]
    wanted: String,
    #[command(flatten)]
    confirm: Confirm,
}

pub(super) async fn run(args: Args, session: &Session<'_>) -> Result<(), Failure> {
    let tokens = session.client.tokens().await?;
    let all: Vec<_> = tokens.iter().map(|token| Named { id: &token.id, name: &token.name }).collect();
    let id = resolve("token", &args.wanted, &all, false)?;
    let token = tokens.iter().find(|token| token.id == id);
    let name = token.map_or(id.as_str(), |token| token.name.as_str());
    let own = match token.is_some_and(|token| token.current) {
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

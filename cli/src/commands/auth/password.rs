//! Signing in with a password: it makes an access token for this machine, stores that, and ends the session.

use svc_api::identity::{NewToken, Scope};
use svc_client::Client;

use crate::failure::Failure;
use crate::output::Output;

/// What the token is called in the list of the account's tokens.
const NAME: &str = "svc auth";
const SCOPES: [Scope; 3] = [Scope::Read, Scope::Write, Scope::Admin];

/// Asks for a password, or reads it from stdin.
pub(super) fn ask(output: &Output) -> Result<String, Failure> {
    let password = output.secret("Password: ")?;
    if password.is_empty() {
        return Err(Failure::rejected("there is no password").hint("type it when asked, or pipe it to stdin"));
    }
    Ok(password)
}

/// Asks for a password that is new: at a terminal twice, because nobody sees what is typed.
pub(super) fn ask_new(output: &Output) -> Result<String, Failure> {
    let password = ask(output)?;
    if output.can_ask() && output.secret("Password again: ")? != password {
        return Err(Failure::rejected("the two passwords differ").hint("nothing was done; begin again"));
    }
    Ok(password)
}

/// Makes a token with a session, and ends the session.
pub(super) async fn token(signed_in: &Client, output: &Output) -> Result<String, Failure> {
    let new =
        NewToken { name: NAME.to_owned(), scopes: SCOPES.to_vec(), organization: None, expires_at: None };
    let created = signed_in.create_token(&new).await?;
    // A session that stays ends by itself.
    if let Err(error) = signed_in.logout().await {
        output.warn(&format!("the session could not be ended: {error}"));
    }
    Ok(created.secret)
}

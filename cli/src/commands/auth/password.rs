//! Signing in with a password: it makes an access token for this machine, stores that, and ends the session.

use jiff::Timestamp;
use svc_api::identity::{NewToken, Scope};
use svc_client::Client;

use crate::commands::expiry::{Expiry, expiry};
use crate::failure::Failure;
use crate::fresh;
use crate::output::Output;

const SCOPES: [Scope; 3] = [Scope::Read, Scope::Write, Scope::Admin];
/// More than any machine is called by its people.
const LONGEST_MACHINE: usize = 60;

/// How long a token works that a sign-in makes.
#[derive(clap::Args)]
pub(crate) struct Lifetime {
    /// When the new token expires: a day (UTC), a time, or a number of days or hours from now
    #[arg(long, value_name = "WHEN", value_parser = expiry, default_value = "90d")]
    expires: Expiry,
}

impl Lifetime {
    /// When a token ends that is made now.
    pub(super) fn end(&self) -> Result<Timestamp, Failure> {
        self.expires.after(fresh::now())
    }
}

/// Asks for a password, or reads it from stdin.
pub(super) fn ask(output: &Output) -> Result<String, Failure> {
    let password = output.secret("Password: ")?;
    if password.is_empty() {
        return Err(
            Failure::rejected("no password was given").hint("type it when asked, or pipe it to stdin")
        );
    }
    Ok(password)
}

/// Asks for a password that is new: at a terminal twice, because it is not shown.
pub(super) fn ask_new(output: &Output) -> Result<String, Failure> {
    let password = ask(output)?;
    if output.can_ask() && output.secret("Password again: ")? != password {
        return Err(Failure::rejected("the two passwords differ").hint("nothing was changed; try again"));
    }
    Ok(password)
}

/// Makes a token with a session, and ends the session.
pub(super) async fn token(signed_in: &Client, end: Timestamp, output: &Output) -> Result<String, Failure> {
    let new =
        NewToken { name: token_name(), scopes: SCOPES.to_vec(), organization: None, expires_at: Some(end) };
    let created = signed_in.create_token(&new).await?;
    // A session that stays ends by itself.
    if let Err(error) = signed_in.logout().await {
        output.warn(&format!("the session could not be ended: {error}"));
    }
    Ok(created.secret)
}

/// What the token is called in the list of the account's tokens: by the machine that it is on.
pub(super) fn token_name() -> String {
    let system = rustix::system::uname();
    let machine = system.nodename().to_string_lossy();
    let machine: String = machine.chars().filter(|c| !c.is_control()).take(LONGEST_MACHINE).collect();
    match machine.trim() {
        "" => "svc".to_owned(),
        machine => format!("svc on {machine}"),
    }
}

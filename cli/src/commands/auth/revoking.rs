//! Revoking the token that a client carries itself.

use svc_client::{Client, Error};

use super::password::token_name;

/// What became of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Revoked {
    /// It works no more.
    Now,
    /// It worked no more before.
    Before,
    /// The instance does not say which of the tokens it is, or it was not made by a sign-in on this machine.
    Unknown,
}

/// Revokes the token that the client carries; with `only_own` only one that a sign-in on this machine made.
pub(super) async fn revoke_own(client: &Client, only_own: bool) -> Result<Revoked, Error> {
    let tokens = match client.tokens().await {
        Err(error) if error.status() == Some(401) => return Ok(Revoked::Before),
        tokens => tokens?,
    };
    let own = token_name();
    let Some(token) = tokens.iter().find(|token| token.current && (!only_own || token.name == own)) else {
        return Ok(Revoked::Unknown);
    };
    client.revoke_token(&token.id).await?;
    Ok(Revoked::Now)
}

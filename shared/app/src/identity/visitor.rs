//! Where a sign-in request comes from, and how password guessing is slowed down.
//!
//! Protocol.
//! 1. All requests of a network that concern passwords are counted together, whichever accounts they are about.
//! 2. An account remembers the networks that its person signed in from, as hashes, in the row of its sessions.
//! 3. A guess from any other network is counted for the account too, together with those of all strangers, who
//!    have as many as one network has: so a thousand addresses guess no faster than one. What strangers use up does not count for the
//!    networks that the person came from; a new password by a link that was mailed makes its network one.
//! 4. An address that nobody has an account of is counted in the same way.

use std::net::IpAddr;

use svc_domain::ids::UserId;
use svc_domain::session::Sessions;

use crate::App;
use crate::budget::{self, network};
use crate::error::Result;
use crate::secrets;

/// Who comes to sign in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visitor {
    /// What the browser says of itself.
    pub client: String,
    /// Where the request comes from.
    pub address: IpAddr,
}

impl Visitor {
    /// The network of the address.
    pub fn network(&self) -> String {
        network(self.address)
    }

    /// What an account remembers the network by.
    pub(super) fn familiar(&self, user: UserId) -> String {
        secrets::hash(&format!("{user} {}", self.network()))[..32].to_owned()
    }
}

/// Counts a guess at the password of an address, which `known` is the account of.
///
/// # Errors
/// [`Refusal::RateLimited`](svc_domain::refusal::Refusal::RateLimited) when strangers have guessed too often.
pub(super) async fn count_guess(
    app: &App,
    email: &str,
    known: Option<(UserId, &Sessions)>,
    visitor: &Visitor,
) -> Result<()> {
    if known.is_some_and(|(user, sessions)| sessions.knows(&visitor.familiar(user))) {
        return Ok(());
    }
    let subject = format!("guess:{}", secrets::hash(&email.to_lowercase()));
    budget::spend(app, &subject, app.settings.rate_limits.authentication_per_minute).await
}

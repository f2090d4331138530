//! Who wrote a text, and what they are in the organization: said with every text, so that an agent can tell an
//! Owner's words from a Guest's and from its own kind's.

use std::collections::HashMap;

use svc_api::identity::Actor;
use svc_app::Result;

use crate::guest::Guest;
use svc_domain::untrusted::quoted;

/// The authors of one reply.
pub(crate) struct Authors(HashMap<String, &'static str>);

impl Authors {
    /// Looks up what these people are.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn of<'a>(guest: &Guest, people: impl Iterator<Item = &'a Actor>) -> Result<Self> {
        let users = people.filter(|actor| !actor.agent).filter_map(|actor| actor.id.parse().ok());
        let roles = svc_app::identity::roles(&guest.app, guest.access.org, users.collect()).await?;
        Ok(Self(roles.into_iter().map(|(user, role)| (user.to_string(), role.as_str())).collect()))
    }

    /// `owner "Ada Lovelace"`: what they are comes first, and only the name is theirs to choose.
    pub(crate) fn byline(&self, author: &Actor) -> String {
        let role = match author.agent {
            true => "agent",
            false => self.0.get(&author.id).copied().unwrap_or("former member"),
        };
        format!("{role} {}", quoted(&author.name))
    }
}
